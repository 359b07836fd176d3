package import RecordStack
import RecordStackModel

/// A number that several processes increment at the same time.
@Entity package final class Counter: ManagedObject {
    @Attribute(.unique) package var number: Int
    @Attribute package var count: Int = 0
}

/// The number of saves of one process.
@Entity package final class Beat: ManagedObject {
    @Attribute(.unique) package var process: Int
    @Attribute package var number: Int = 0
}
