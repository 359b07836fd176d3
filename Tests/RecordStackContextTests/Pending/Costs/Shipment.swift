import RecordStack

@Entity final class Shipment: ManagedObject {
    @Attribute(.unique) var code: String
    @Attribute(.indexed) var bucket: Int = 0
    @Attribute var weight: Int = 0
    @Relationship(inverse: \Depot.shipments) var depot: Depot?
}

@Entity final class Depot: ManagedObject {
    @Attribute(.unique) var number: Int
    @Relationship(deleteRule: .cascade) var shipments: ToMany<Shipment>
}
