import RecordStack

@Entity final class StressItem: ManagedObject {
    @Attribute(.indexed) var place: Int
    @Attribute var value: Int = 0
    @Relationship(inverse: \StressBox.items) var box: StressBox?
}

@Entity final class StressBox: ManagedObject {
    @Attribute(.unique) var number: Int
    @Relationship var items: ToMany<StressItem>
}

/// What a thread's save blocks have counted.
@Entity final class StressTally: ManagedObject {
    @Attribute(.unique) var worker: Int
    @Attribute var count: Int = 0
}
