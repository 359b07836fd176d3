public import FoundationEssentials
import Synchronization

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = TestClock()                              // 2001-01-01 00:00 UTC
/// let shop = Shop(stack: test.stack, now: clock.now)   // takes a () -> Date
/// try await shop.order("tea")
/// clock.advance(by: 3_600)
/// try await shop.order("milk")                         // an hour later
/// ```
///
/// It is handed to what needs the time; nothing else is changed by it.
public final class TestClock: Sendable {
    private let time: Mutex<Date>
    private let step: TimeInterval

    /// A clock that shows a date.
    ///
    /// - Parameters:
    ///   - start: what it shows first; by default 2001-01-01 00:00 UTC.
    ///   - step: how many seconds it goes on whenever it has been read, so that no two readings are
    ///     alike; 0 by default.
    public init(
        _ start: Date = Date(timeIntervalSinceReferenceDate: 0), step: TimeInterval = 0
    ) {
        time = Mutex(start)
        self.step = step
    }

    /// What the clock shows.
    @Sendable public func now() -> Date {
        time.withLock { date in
            defer { date += step }
            return date
        }
    }

    /// Moves the clock on by a number of seconds, or back by a negative one.
    public func advance(by seconds: TimeInterval) {
        time.withLock { $0 += seconds }
    }

    /// Makes the clock show a date.
    public func set(to date: Date) {
        time.withLock { $0 = date }
    }
}
