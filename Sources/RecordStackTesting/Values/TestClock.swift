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
/// Pass the clock to the code that needs the time. The clock has no effect on other code.
public final class TestClock: Sendable {
    private let time: Mutex<Date>
    private let step: TimeInterval

    /// Creates a clock that shows a date.
    ///
    /// - Parameters:
    ///   - start: The first date, by default 2001-01-01 00:00 UTC.
    ///   - step: The number of seconds by which each reading advances the clock, by default 0. With
    ///     a step, no two readings are equal.
    public init(
        _ start: Date = Date(timeIntervalSinceReferenceDate: 0), step: TimeInterval = 0
    ) {
        time = Mutex(start)
        self.step = step
    }

    /// Returns the date that the clock shows.
    @Sendable public func now() -> Date {
        time.withLock { date in
            defer { date += step }
            return date
        }
    }

    /// Moves the clock forward by a number of seconds, or back by a negative number.
    public func advance(by seconds: TimeInterval) {
        time.withLock { $0 += seconds }
    }

    /// Sets the clock to a date.
    public func set(to date: Date) {
        time.withLock { $0 = date }
    }
}
