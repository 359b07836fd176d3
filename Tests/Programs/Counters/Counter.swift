package import RecordStack
import RecordStackModel

/// A number that several processes count up at the same time.
@Entity package final class Counter: ManagedObject {
    @Attribute(.unique) package var number: Int
    @Attribute package var count: Int = 0
}

/// How often a process has saved.
@Entity package final class Beat: ManagedObject {
    @Attribute(.unique) package var process: Int
    @Attribute package var number: Int = 0
}
