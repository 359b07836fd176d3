import FoundationEssentials
import RecordStack

/// An object with an attribute of every type.
@Entity final class Crate: ManagedObject {
    enum Mood: String, CaseIterable, AttributeValue {
        case calm, cross
    }

    @Attribute var flag: Bool = false
    @Attribute var whole: Int = 0
    @Attribute var tiny: Int8 = 0
    @Attribute var large: UInt64 = 0
    @Attribute var real: Double = 0
    @Attribute var single: Float = 0
    @Attribute var text: String = ""
    @Attribute var date: Date = Date(timeIntervalSinceReferenceDate: 0)
    @Attribute var data: Data = Data()
    @Attribute var uuid: UUID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7))
    @Attribute var url: URL = URL(string: "a:b")!
    @Attribute var price: Decimal = 0
    @Attribute var list: [Int] = []
    @Attribute var mood: Mood = .calm
    @Attribute var maybe: Int?
    @Attribute var maybePrice: Decimal?
    @Relationship(inverse: \Rack.crates) var rack: Rack?
}

@Entity final class Rack: ManagedObject {
    @Attribute var name: String = ""
    @Relationship var crates: OrderedToMany<Crate>
    @Relationship(inverse: \Label.racks) var labels: ToMany<Label>
}

@Entity final class Label: ManagedObject {
    @Attribute var title: String = ""
    @Relationship var racks: ToMany<Rack>
}

/// A hierarchy, in whose table the required column of a subentity can be null.
@Entity class Box: ManagedObject {
    @Attribute var name: String = ""
}

@Entity final class Chest: Box {
    @Attribute var lock: String = "iron"
}
