import RecordStack
import Synchronization

@Entity final class StressItem: ManagedObject {
    @Attribute(.indexed) var place: Int
    @Attribute var value: Int = 0
    /// A copy of `place`, which `willSave` maintains.
    @Attribute var mark: Int = -1
    @Relationship(inverse: \StressBox.items) var box: StressBox?

    static let saved = Atomic(0)
    static let deleted = Atomic(0)

    override func willSave() { if mark != place { mark = place } }

    override func didSave() { Self.saved.add(1, ordering: .relaxed) }

    override func prepareForDeletion() { Self.deleted.add(1, ordering: .relaxed) }
}

@Entity final class StressBox: ManagedObject {
    @Attribute(.unique) var number: Int
    @Relationship var items: ToMany<StressItem>
}

/// The number of a thread's save blocks.
@Entity final class StressTally: ManagedObject {
    @Attribute(.unique) var worker: Int
    @Attribute var count: Int = 0
}
