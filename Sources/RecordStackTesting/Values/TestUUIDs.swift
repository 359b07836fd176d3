public import FoundationEssentials
import Synchronization

/// UUIDs that are the same in every run: 1, 2, 3 and so on.
///
/// ```swift
/// let uuids = TestUUIDs()
/// let shop = Shop(stack: test.stack, newUUID: uuids.next)      // takes a () -> UUID
/// #expect(try await shop.order("tea").number == UUID(1))
/// ```
///
/// Create a separate instance for each test, and pass it to the code that needs UUIDs.
public final class TestUUIDs: Sendable {
    private let upcoming: Mutex<UInt64>

    /// Creates an instance whose first UUID is `UUID(first)`.
    public init(startingAt first: UInt64 = 1) {
        upcoming = Mutex(first)
    }

    /// Returns the next UUID.
    @Sendable public func next() -> UUID {
        upcoming.withLock { number in
            defer { number &+= 1 }
            return UUID(number)
        }
    }
}

extension UUID {
    /// Creates a UUID that ends with a number in hexadecimal.
    ///
    /// All other digits are 0: `UUID(1)` is `00000000-0000-0000-0000-000000000001`.
    public init(_ number: UInt64) {
        func byte(_ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: number >> (8 * index)) }
        self.init(
            uuid: (
                0, 0, 0, 0, 0, 0, 0, 0, byte(7), byte(6), byte(5), byte(4), byte(3), byte(2),
                byte(1), byte(0)
            ))
    }
}
