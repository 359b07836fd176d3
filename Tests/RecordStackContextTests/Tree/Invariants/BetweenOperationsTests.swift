import Invariants
import RecordStack
import RecordStackTesting
import TestSupport
import Testing

@Entity final class Choir: ManagedObject {
    @Attribute(.unique) var name: String
    @Attribute var size: Int = 0
    @Relationship(inverse: \Singer.choirs) var singers: ToMany<Singer>
    @Relationship(inverse: \Singer.solos) var soloists: OrderedToMany<Singer>
}

@Entity final class Singer: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship var choirs: ToMany<Choir>
    @Relationship var solos: ToMany<Choir>
}

/// Data loaded between two operations, which must agree with what the context shows, whatever was
/// committed since.
@Suite("Between two operations of a context") struct BetweenOperationsTests {
    private struct World {
        let test: TestStack
        let other: ContextStack
        let context: ManagedObjectContext

        init(isOtherStack: Bool, _ fill: (ManagedObjectContext) throws -> Void) throws {
            var options = StoreOptions()
            options.remoteSaveInterval = nil
            let entities = InvariantStore.entities + [Choir.self, Singer.self]
            test = try TestStack(entities: entities, at: .temporaryFile, options: options)
            try test.seed(fill)
            other =
                isOtherStack
                ? try ContextStack(
                    entities: entities, at: .file(try #require(test.path)), options: options)
                : test.stack
            context = test.stack.newContext()
        }

        func others(_ change: @escaping @Sendable (ManagedObjectContext) throws -> Void) throws {
            try other.saveWithBlockAndWait(change)
        }
    }

    private static func movePlayer(_ context: ManagedObjectContext) throws {
        let player = try #require(try Player.findFirst(by: \.number, 0, in: context))
        let squads = try Squad.find(sortedBy: .ascending(\.number), in: context)
        player.squad = squads[1]
        squads[0].size -= 1
        squads[1].size += 1
    }

    // MARK: One to many

    @Test(arguments: [false, true])
    func `a to-many first read after an unmerged save shows the state before it`(
        isOtherStack: Bool
    ) throws {
        let world = try World(isOtherStack: isOtherStack, InvariantStore.fill)
        let squads = try Squad.find(sortedBy: .ascending(\.number), in: world.context)
        let players = try Player.find(in: world.context)
        try world.others(Self.movePlayer)
        for squad in squads {
            #expect(squad.players.count == squad.size)
            let members = Array(squad.players)
            #expect(members.count == squad.size)
            for player in players {
                #expect((player.squad === squad) == members.contains { $0 === player })
                #expect((player.squad === squad) == squad.players.contains(player))
            }
        }
    }

    @Test(arguments: [false, true])
    func `a member first read after an unmerged save is in its owner's list`(
        isOtherStack: Bool
    ) throws {
        let world = try World(isOtherStack: isOtherStack, InvariantStore.fill)
        let squads = try Squad.find(sortedBy: .ascending(\.number), in: world.context)
        let anybody = try #require(try Player.findFirst(by: \.number, 1, in: world.context))
        // This loads the keys of the members, and no member.
        for squad in squads { _ = squad.players.contains(anybody) }
        try world.others(Self.movePlayer)
        let members = squads.map { Array($0.players) }
        for player in members.joined() {
            for squad in squads {
                #expect((player.squad === squad) == squad.players.contains(player))
            }
        }
    }

    @Test(arguments: [false, true])
    func `a non-following context shows others' saves only at its next operation`(
        isOtherStack: Bool
    ) throws {
        let world = try World(isOtherStack: isOtherStack, InvariantStore.fill)
        let purses = try Purse.find(sortedBy: .ascending(\.number), in: world.context)
        let squad = try #require(try Squad.findFirst(by: \.number, 0, in: world.context))
        let players = Array(squad.players)
        try world.others { context in
            for purse in try Purse.find(in: context) { purse.balance += 1 }
            try Self.movePlayer(context)
        }
        #expect(squad.size == 4)
        #expect(Array(squad.players).map(\.number) == players.map(\.number))
        #expect(players.allSatisfy { $0.squad === squad })
        #expect(purses.allSatisfy { $0.balance == 100 })
    }

    @Test(arguments: [false, true])
    func `an object deleted elsewhere stays a member until the next operation`(
        isOtherStack: Bool
    ) throws {
        let world = try World(isOtherStack: isOtherStack, InvariantStore.fill)
        let squad = try #require(try Squad.findFirst(by: \.number, 0, in: world.context))
        let player = try #require(try Player.findFirst(by: \.number, 0, in: world.context))
        #expect(player.squad === squad)
        try world.others { context in
            let player = try #require(try Player.findFirst(by: \.number, 0, in: context))
            try #require(player.squad).size -= 1
            try player.delete()
        }
        #expect(squad.players.contains(player) && Array(squad.players).contains { $0 === player })
        #expect(squad.size == 4)
        _ = try Squad.count(in: world.context)
        #expect(squad.size == 3 && Array(squad.players).count == 3)
    }

    // MARK: Many to many

    private static func fillChoirs(_ context: ManagedObjectContext) throws {
        let choirs = try ["Bach", "Orff"].map { try Choir.create(in: context, name: $0) }
        for name in ["Ann", "Ben", "Cid", "Dot"] {
            let singer = try Singer.create(in: context, name: name)
            choirs[0].singers.insert(singer)
            choirs[0].soloists.append(singer)
            choirs[0].size += 1
        }
    }

    @Test(arguments: [false, true])
    func `both sides of a many-to-many show the state before an unmerged save`(
        isOtherStack: Bool
    ) throws {
        let world = try World(isOtherStack: isOtherStack, Self.fillChoirs)
        let choirs = try Choir.find(sortedBy: .ascending(\.name), in: world.context)
        let ann = try #require(try Singer.findFirst(by: \.name, "Ann", in: world.context))
        #expect(Array(ann.choirs).map(\.name) == ["Bach"])
        try world.others { context in
            let choirs = try Choir.find(sortedBy: .ascending(\.name), in: context)
            let ann = try #require(try Singer.findFirst(by: \.name, "Ann", in: context))
            choirs[0].singers.remove(ann)
            choirs[1].singers.insert(ann)
        }
        for choir in choirs {
            let isMember = ann.choirs.contains(choir)
            #expect(isMember == (choir === choirs[0]))
            #expect(choir.singers.contains(ann) == isMember)
            #expect(Array(choir.singers).contains { $0 === ann } == isMember)
        }
        #expect(choirs[0].singers.count == choirs[0].size)
    }

    // MARK: Orders

    @Test func `an ordered to-many and its inverse omit a save that is not yet merged`() throws {
        let world = try World(isOtherStack: false, InvariantStore.fill)
        let volume = try #require(try Volume.findFirst(by: \.code, 0, in: world.context))
        let shelf = try #require(volume.shelf)
        try world.others { context in
            let volume = try #require(try Volume.findFirst(by: \.code, 0, in: context))
            try #require(try Shelf.findFirst(by: \.number, 1, in: context)).volumes.append(volume)
        }
        #expect(volume.shelf === shelf)
        #expect(shelf.volumes.contains(volume))
        #expect(shelf.volumes.firstIndex(of: volume) == 0)
        #expect(shelf.volumes.map(\.code) == [0, 2, 4, 6, 8])
        _ = try Shelf.count(in: world.context)
        #expect(volume.shelf?.number == 1)
        #expect(shelf.volumes.map(\.code) == [2, 4, 6, 8])
    }

    @Test func `an ordered to-many shows others' new order only at the next operation`() throws {
        let world = try World(isOtherStack: false, InvariantStore.fill)
        let shelf = try #require(try Shelf.findFirst(by: \.number, 0, in: world.context))
        for _ in 0..<2 {
            try world.others { context in
                let shelf = try #require(try Shelf.findFirst(by: \.number, 0, in: context))
                shelf.volumes.move(from: 0, to: 4)
            }
        }
        #expect(shelf.volumes.map(\.code) == [0, 2, 4, 6, 8])
        _ = try Shelf.count(in: world.context)
        #expect(shelf.volumes.map(\.code) == [4, 6, 8, 0, 2])
    }

    @Test func `an ordered many-to-many shows others' saves only at the next operation`() throws {
        let world = try World(isOtherStack: false, Self.fillChoirs)
        let choir = try #require(try Choir.findFirst(by: \.name, "Bach", in: world.context))
        try world.others { context in
            let choir = try #require(try Choir.findFirst(by: \.name, "Bach", in: context))
            choir.soloists.move(from: 3, to: 0)
            choir.soloists.remove(at: 1)
            choir.soloists.append(try Singer.create(in: context, name: "Eve"))
        }
        #expect(choir.soloists.count == 4)
        #expect(choir.soloists.map(\.name) == ["Ann", "Ben", "Cid", "Dot"])
        _ = try Choir.count(in: world.context)
        #expect(choir.soloists.map(\.name) == ["Dot", "Ben", "Cid", "Eve"])
    }

    // MARK: Faults

    @Test func `objects loaded before and after another save show a consistent state`() throws {
        let world = try World(isOtherStack: false, InvariantStore.fill)
        let context = world.context
        let first = try #require(try Player.findFirst(by: \.number, 0, in: context)).squad
        let second = try #require(try Player.findFirst(by: \.number, 1, in: context)).squad
        let before = try #require(first).size
        try world.others(Self.movePlayer)
        let after = try #require(second).size
        #expect(before + after == 2 * InvariantStore.players / InvariantStore.squads)
    }
}
