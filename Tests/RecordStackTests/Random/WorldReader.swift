import RecordStack

/// A reader of everything that a context shows, from both sides of each relationship.
struct WorldReader {
    let context: ManagedObjectContext

    func read() throws -> PlainWorld {
        var world = PlainWorld()
        let hubs = try Hub.find(in: context)
        for hub in hubs { read(hub, into: &world) }
        for spoke in try Spoke.find(in: context) {
            world.kinds[spoke.number] = spoke is FatSpoke ? .fatSpoke : .spoke
            world.hubOfSpoke[spoke.number] = spoke.hub?.number
        }
        for rider in try Rider.find(in: context) { read(rider, into: &world) }
        for ring in try Ring.find(in: context) {
            world.kinds[ring.number] = .ring
            if let hub = ring.hub { try agree(hub.ring === ring, "ring \(ring.number)") }
        }
        for mark in try Mark.find(in: context) { world.kinds[mark.number] = .mark }
        try checkSides(hubs, world)
        return world
    }

    private func read(_ hub: Hub, into world: inout PlainWorld) {
        let number = hub.number
        world.kinds[number] = .hub
        world.codes[number] = hub.code
        world.front[number] = hub.front?.number
        world.ring[number] = hub.ring?.number
        set(hub.spokes.map(\.number), &world.spokes, number)
        set(hub.row.map(\.number), &world.row, number)
        set(hub.ranked.map(\.number), &world.ranked, number)
        for mark in hub.marks { world.marks.insert(.init(a: number, b: mark.number)) }
        for friend in hub.friends { world.friends.insert(.init(a: number, b: friend.number)) }
        for fan in hub.fans { world.fans.insert(.init(a: number, b: fan.number)) }
    }

    private func read(_ rider: Rider, into world: inout PlainWorld) {
        let number = rider.number
        world.kinds[number] = .rider
        world.crew[number] = rider.hub?.number
        world.guarded[number] = rider.guarded?.number
        world.pet[number] = rider.pet?.number
        set(rider.ranks.map(\.number), &world.ranks, number)
    }

    private func set(_ list: [Int], _ lists: inout [Int: [Int]], _ owner: Int) {
        if !list.isEmpty { lists[owner] = list }
    }

    private func agree(_ isTrue: Bool, _ what: String) throws {
        if !isTrue {
            throw WorldFailure(description: "\(context.name): the sides of \(what) do not agree")
        }
    }

    /// Checks the other sides of the relationships, and other ways to read them.
    private func checkSides(_ hubs: [Hub], _ world: PlainWorld) throws {
        for hub in hubs {
            let number = hub.number
            try agree(hub.front.map { $0.back === hub } ?? true, "front \(number)")
            try agree(hub.back.map { $0.front === hub } ?? true, "back \(number)")
            let crew = world.crew.filter { $0.value == number }.map(\.key).sorted()
            try agree(hub.crew.map(\.number).sorted() == crew, "crew \(number)")
            let guards = world.guarded.filter { $0.value == number }.map(\.key).sorted()
            try agree(hub.guards.map(\.number).sorted() == guards, "guards \(number)")
            try agree(hub.crew.count == crew.count, "crew's count \(number)")
            for spoke in hub.spokes { try agree(spoke.hub === hub, "spokes \(number)") }
            for fan in hub.fans { try agree(fan.likes.contains(hub), "fans \(number)") }
            for rider in hub.ranked { try agree(rider.ranks.contains(hub), "ranked \(number)") }
            let isCounted = hub.fans.count == world.fans.filter { $0.a == number }.count
            try agree(isCounted, "fans' count \(number)")
        }
        for rider in try Rider.find(in: context) {
            for hub in rider.likes { try agree(hub.fans.contains(rider), "likes \(rider.number)") }
        }
    }
}
