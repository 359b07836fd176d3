import RecordStack

/// An editor that makes the same changes in a context and in the plain model.
struct WorldEditor {
    let context: ManagedObjectContext
    private(set) var number: Int

    init(context: ManagedObjectContext, number: Int) {
        self.context = context
        self.number = number
    }

    private func pick(_ numbers: [Int], _ choice: Int) -> Int? {
        numbers.isEmpty ? nil : numbers[choice % numbers.count]
    }

    private func hub(_ number: Int) throws -> Hub {
        try Hub.findFirst(by: \.number, number, in: context)!
    }

    private func rider(_ number: Int) throws -> Rider {
        try Rider.findFirst(by: \.number, number, in: context)!
    }

    private func mark(_ number: Int) throws -> Mark {
        try Mark.findFirst(by: \.number, number, in: context)!
    }

    private func spoke(_ number: Int) throws -> Spoke {
        try Spoke.findFirst(by: \.number, number, in: context)!
    }

    /// - Returns: the outcome, if it is not the usual outcome.
    mutating func apply(_ step: WorldStep, to world: inout PlainWorld) throws -> String? {
        switch step.kind {
        case .create: return try create(step, in: &world)
        case .delete: return try delete(step, in: &world)
        default: break
        }
        guard let number = pick(world.numbers(.hub), step.a) else { return nil }
        let hub = try hub(number)
        switch step.kind {
        case .code: try setCode(hub, number, step, in: &world)
        case .front, .ring, .friends: try relate(hub, number, step, in: &world)
        case .spoke, .width: try relateSpoke(hub, number, step, in: &world)
        case .marks, .row: try relateMark(hub, number, step, in: &world)
        default: try relateRider(hub, number, step, in: &world)
        }
        return nil
    }

    private mutating func create(_ step: WorldStep, in world: inout PlainWorld) throws -> String? {
        number += 1
        let kinds: [PlainWorld.Kind] = [
            .hub, .hub, .hub, .spoke, .fatSpoke, .rider, .rider, .ring, .mark, .mark,
        ]
        let kind = kinds[step.a % kinds.count]
        switch kind {
        case .hub: try Hub.create(in: context, number: number)
        case .spoke: try Spoke.create(in: context, number: number)
        case .fatSpoke: try FatSpoke.create(in: context).number = number
        case .rider: try Rider.create(in: context, number: number)
        case .ring: try Ring.create(in: context, number: number)
        case .mark: try Mark.create(in: context, number: number)
        }
        world.kinds[number] = kind
        return nil
    }

    private func object(_ number: Int, _ kind: PlainWorld.Kind) throws -> ManagedObject {
        switch kind {
        case .hub: try hub(number)
        case .spoke, .fatSpoke: try spoke(number)
        case .rider: try rider(number)
        case .ring: try Ring.findFirst(by: \.number, number, in: context)!
        case .mark: try mark(number)
        }
    }

    private func delete(_ step: WorldStep, in world: inout PlainWorld) throws -> String? {
        guard let number = pick(world.kinds.keys.sorted(), step.a), let kind = world.kinds[number]
        else { return nil }
        let object = try object(number, kind)
        let wanted = world.deletion(of: number)
        let plan = try context.deletionPlan(for: object)
        if plan.deletedIDs.count != wanted.gone.count || plan.isDenied != !wanted.denied.isEmpty {
            throw WorldFailure(description: "the plan \(plan) is not \(wanted)")
        }
        do {
            try object.delete()
            if plan.isDenied { throw WorldFailure(description: "a denied deletion went through") }
            world.remove(wanted.gone)
            return wanted.gone.count > 1 ? "cascaded" : nil
        } catch let error as RecordStackError where error.code == .deletionDenied {
            if !plan.isDenied { throw error }
            return "denied"
        }
    }

    private func setCode(
        _ hub: Hub, _ number: Int, _ step: WorldStep, in world: inout PlainWorld
    ) throws {
        // There are few codes, so they collide now and then. Often there is none.
        let code = step.b % 3 == 0 ? nil : step.c % 2
        hub.code = code
        world.codes[number] = code
    }

    private func relate(
        _ hub: Hub, _ number: Int, _ step: WorldStep, in world: inout PlainWorld
    ) throws {
        let others = world.numbers(step.kind == .ring ? .ring : .hub)
        let other = step.c % 4 == 0 ? nil : pick(others, step.b)
        switch step.kind {
        case .front:
            let object = try other.map(self.hub)
            if step.c % 2 == 0 || object == nil {
                hub.front = object
                world.setFront(of: number, to: other)
            } else if let other {
                object?.back = hub
                world.setFront(of: number, to: other)
            }
        case .ring:
            let object = try other.map { try Ring.findFirst(by: \.number, $0, in: context)! }
            if step.c % 2 == 0 || object == nil {
                hub.ring = object
            } else {
                object?.hub = hub
            }
            world.setRing(of: number, to: other)
        default:
            guard let other = pick(others, step.b) else { return }
            let isFriend = step.c % 3 != 0
            if isFriend {
                hub.friends.insert(try self.hub(other))
            } else {
                hub.friends.remove(try self.hub(other))
            }
            world.befriend(number, other, isFriend)
        }
    }

    private func relateSpoke(
        _ hub: Hub, _ number: Int, _ step: WorldStep, in world: inout PlainWorld
    ) throws {
        guard let other = pick(world.numbers(.spoke, .fatSpoke), step.b) else { return }
        let spoke = try spoke(other)
        if step.kind == .width {
            (spoke as? FatSpoke)?.width = step.c % 3
            return
        }
        switch step.c % 5 {
        case 0:
            spoke.hub = nil
            world.lead(other, to: nil)
        case 1:
            spoke.hub = hub
            world.lead(other, to: number)
        case 2:
            hub.spokes.remove(spoke)
            if world.hubOfSpoke[other] == number { world.lead(other, to: nil) }
        default:
            let index = step.a % 7
            hub.spokes.insert(spoke, at: index)
            world.place(other, in: number, at: index)
        }
    }

    private func relateMark(
        _ hub: Hub, _ number: Int, _ step: WorldStep, in world: inout PlainWorld
    ) throws {
        guard let other = pick(world.numbers(.mark), step.b) else { return }
        let mark = try mark(other)
        let pair = PlainWorld.Pair(a: number, b: other)
        switch (step.kind, step.c % 3) {
        case (.marks, 0):
            hub.marks.remove(mark)
            world.marks.remove(pair)
        case (.marks, _):
            hub.marks.insert(mark)
            world.marks.insert(pair)
        case (_, 0):
            hub.row.remove(mark)
            world.unmark(other, in: number)
        default:
            let index = step.a % 5
            hub.row.insert(mark, at: index)
            world.mark(other, in: number, at: index)
        }
    }

    private func relateRider(
        _ hub: Hub, _ number: Int, _ step: WorldStep, in world: inout PlainWorld
    ) throws {
        guard let other = pick(world.numbers(.rider), step.b) else { return }
        let rider = try rider(other)
        let isOn = step.c % 3 != 0
        let pair = PlainWorld.Pair(a: number, b: other)
        switch step.kind {
        case .crew:
            if isOn { hub.crew.insert(rider) } else { rider.hub = nil }
            world.crew[other] = isOn ? number : nil
        case .guarded:
            rider.guarded = isOn ? hub : nil
            world.guarded[other] = isOn ? number : nil
        case .pet:
            let mark = isOn ? pick(world.numbers(.mark), step.a) : nil
            rider.pet = try mark.map(self.mark)
            world.pet[other] = mark
        case .fans:
            if isOn { rider.likes.insert(hub) } else { hub.fans.remove(rider) }
            if isOn { world.fans.insert(pair) } else { world.fans.remove(pair) }
        default:
            if isOn {
                hub.ranked.insert(rider, at: step.a % 4)
                world.rank(other, in: number, at: step.a % 4)
            } else {
                rider.ranks.remove(hub)
                world.unrank(other, in: number)
            }
        }
    }
}
