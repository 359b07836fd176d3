import RecordStack

@Entity final class Shop: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .cascade) var orders: ToMany<Order>
    @Relationship var shelf: OrderedToMany<Ware>
    @Relationship var tags: ToMany<Tag>
}

@Entity final class Order: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute var note: String = ""
    @Relationship(inverse: \Shop.orders) var shop: Shop?
}

@Entity final class Ware: ManagedObject {
    @Attribute var title: String = ""
    @Relationship(inverse: \Shop.shelf) var shop: Shop?
}

@Entity final class Tag: ManagedObject {
    @Attribute(.unique) var word: String
    @Relationship(inverse: \Shop.tags) var shops: ToMany<Shop>
}
