package import RecordStack
import RecordStackModel

/// A purse. The sum of all balances is constant, and the debit and credit of a purse add up to 0.
@Entity package final class Purse: ManagedObject {
    @Attribute(.unique) package var number: Int
    @Attribute package var balance: Int = 100
    @Attribute package var debit: Int = 0
    @Attribute package var credit: Int = 0
}

/// A squad that stores the number of its players beside the relationship.
@Entity package final class Squad: ManagedObject {
    @Attribute(.unique) package var number: Int
    @Attribute package var size: Int = 0
    @Relationship package var players: ToMany<Player>
}

@Entity package final class Player: ManagedObject {
    @Attribute(.unique) package var number: Int
    @Relationship(inverse: \Squad.players) package var squad: Squad?
}

/// A badge with a unique label, which badges exchange.
@Entity(identity: \.number) package final class Badge: ManagedObject {
    @Attribute(.unique) package var number: Int
    @Attribute(.unique) package var label: String
}

/// A shelf whose volumes store their position in its order.
@Entity package final class Shelf: ManagedObject {
    @Attribute(.unique) package var number: Int
    @Attribute package var size: Int = 0
    /// A number that each change of the order increments, so that two such changes conflict.
    @Attribute package var revision: Int = 0
    @Relationship package var volumes: OrderedToMany<Volume>
}

@Entity package final class Volume: ManagedObject {
    @Attribute(.unique) package var code: Int
    @Attribute package var place: Int = 0
    @Relationship(inverse: \Shelf.volumes) package var shelf: Shelf?
}

/// The store of the invariants, and the number of its objects.
package enum InvariantStore {
    package static let purses = 8
    package static let squads = 3
    package static let players = 12
    package static let badges = 6
    package static let shelves = 2
    package static let volumes = 10

    package static let entities: [ManagedObject.Type] = [
        Purse.self, Squad.self, Player.self, Badge.self, Shelf.self, Volume.self,
    ]

    package static func open(_ path: String) throws -> ContextStack {
        try ContextStack(entities: entities, at: .file(path))
    }

    package static func fill(_ context: ManagedObjectContext) throws {
        for number in 0..<purses { try Purse.create(in: context, number: number) }
        let squads = try (0..<squads).map { try Squad.create(in: context, number: $0) }
        for number in 0..<players {
            let squad = squads[number % squads.count]
            try Player.create(in: context, number: number).squad = squad
            squad.size += 1
        }
        for number in 0..<badges {
            try Badge.create(in: context, number: number, label: "label \(number)")
        }
        let shelves = try (0..<shelves).map { try Shelf.create(in: context, number: $0) }
        for code in 0..<volumes {
            let shelf = shelves[code % shelves.count]
            let volume = try Volume.create(in: context, code: code)
            shelf.volumes.append(volume)
            volume.place = shelf.size
            shelf.size += 1
        }
    }
}
