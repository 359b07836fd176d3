import RecordStack

@Entity final class Carton: ManagedObject {
    @Attribute(.unique) var label: String = ""
    @Attribute var weight: Int?
    @Relationship(deleteRule: .cascade, inverse: \CartonItem.carton)
    var items: OrderedToMany<CartonItem>
    @Relationship var stamps: OrderedToMany<CartonStamp>
    @Relationship(inverse: \CartonReceipt.carton) var receipt: CartonReceipt?
    @Relationship var shop: Outlet?
}

@Entity final class CartonItem: ManagedObject {
    @Attribute var name: String = ""
    @Relationship var carton: Carton?
}

@Entity final class CartonStamp: ManagedObject {
    @Attribute var motif: String = ""
    @Relationship(inverse: \Carton.stamps) var cartons: ToMany<Carton>
}

@Entity final class CartonReceipt: ManagedObject {
    @Attribute var number: Int
    @Relationship var carton: Carton?
}

@Entity final class Outlet: ManagedObject {
    @Attribute var name: String = ""
    /// A one-way relationship.
    @Relationship(.oneWay) var latest: Carton?
}
