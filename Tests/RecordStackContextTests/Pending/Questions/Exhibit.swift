import FoundationEssentials
import RecordStack

/// The entity of the random requests.
///
/// It has two subentities, attributes of most types with and without an index, a to-one
/// relationship with an ordered inverse, and a many-to-many relationship.
@Entity(identity: \.number) class Exhibit: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute(.indexed) var shelf: Int = 0
    @Attribute(.indexed) var code: String = ""
    @Attribute var note: String?
    @Attribute(.indexed) var price: Decimal = 0
    @Attribute var weight: Double = 0
    @Attribute(.indexed) var epoch: Epoch?
    @Attribute var isLent: Bool = false
    @Attribute(.transient) var glances: Int = 0
    @Relationship(inverse: \Wing.exhibits) var wing: Wing?
    @Relationship(inverse: \Theme.exhibits) var themes: ToMany<Theme>
}

@Entity final class Painting: Exhibit {
    @Attribute(.indexed) var width: Int = 0
}

@Entity final class Statue: Exhibit {
    @Attribute var stone: String?
}

enum Epoch: String, CaseIterable, Codable, AttributeValue {
    case early = "m", middle = "a", late = "z"
}

@Entity(identity: \.number) final class Wing: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute(.indexed) var name: String = ""
    @Attribute var floor: Int = 0
    @Relationship(deleteRule: .cascade) var exhibits: OrderedToMany<Exhibit>
}

/// The test creates every theme before the first step.
@Entity(identity: \.number) final class Theme: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute var rank: Int = 0
    @Relationship var exhibits: ToMany<Exhibit>
}
