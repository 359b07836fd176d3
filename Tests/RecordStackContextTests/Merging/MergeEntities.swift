import Foundation
import RecordStack

/// An object with a property of each kind.
@Entity final class Pot: ManagedObject {
    @Attribute(.unique) var number: Int
    /// An attribute that only our side changes.
    @Attribute var mine: Int = 0
    /// An attribute that only the other side changes.
    @Attribute var other: Int = 0
    @Attribute var note: String?
    @Attribute var count: Int = 0
    @Attribute var isFull: Bool?
    @Attribute var weight: Double?
    @Attribute var height: Float?
    @Attribute var price: Decimal?
    @Attribute var fired: Date?
    @Attribute var picture: Data?
    @Attribute var code: UUID?
    @Attribute var link: URL?
    @Attribute var glaze: Glaze?
    @Relationship(inverse: \Rack.pots) var rack: Rack?
    @Relationship var lid: Lid?
}

enum Glaze: String, CaseIterable, Codable, AttributeValue {
    case white, green, blue
}

@Entity final class Rack: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship var pots: ToMany<Pot>
}

@Entity final class Lid: ManagedObject {
    /// The name of one of the pot's values, followed by the pot's number.
    @Attribute(.unique) var name: String
    @Relationship(inverse: \Pot.lid) var pot: Pot?
}
