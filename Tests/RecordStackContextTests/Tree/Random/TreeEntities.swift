import RecordStack

@Entity final class Leaf: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute var weight: Int = 0
    @Attribute var price: Int = 0
    @Relationship(inverse: \Basket.leaves) var basket: Basket?
}

/// A basket. All baskets exist from the start.
@Entity final class Basket: ManagedObject {
    @Attribute(.unique) var number: Int
    @Relationship var leaves: ToMany<Leaf>
}
