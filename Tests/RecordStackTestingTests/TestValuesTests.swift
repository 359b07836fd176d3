import Foundation
import RecordStackTesting
import Testing

/// Clocks and UUIDs for tests.
@Suite("Test clocks and UUIDs") struct TestValuesTests {
    @Test func `a test clock stands still until it is moved`() {
        let clock = TestClock()
        let now: () -> Date = clock.now
        #expect(now() == Date(timeIntervalSinceReferenceDate: 0) && now() == now())
        clock.advance(by: 90)
        #expect(now() == Date(timeIntervalSinceReferenceDate: 90))
        clock.advance(by: -30)
        #expect(now() == Date(timeIntervalSinceReferenceDate: 60))
        clock.set(to: Date(timeIntervalSince1970: 0))
        #expect(now() == Date(timeIntervalSince1970: 0))
    }

    @Test func `a test clock with a step advances at each reading`() {
        let start = Date(timeIntervalSince1970: 1_000)
        let clock = TestClock(start, step: 1)
        #expect((0..<3).map { _ in clock.now().timeIntervalSince1970 } == [1_000, 1_001, 1_002])
    }

    @Test func `TestUUIDs makes UUIDs that count up from 1 or from a given number`() {
        let uuids = TestUUIDs()
        #expect(uuids.next().uuidString == "00000000-0000-0000-0000-000000000001")
        #expect(uuids.next() == UUID(2))
        #expect(TestUUIDs(startingAt: 0x1234_5678_9abc_def0).next() == UUID(0x1234_5678_9abc_def0))
        #expect(UUID(.max).uuidString == "00000000-0000-0000-FFFF-FFFFFFFFFFFF")
    }

    @Test func `TestUUIDs shared by several tasks gives out each UUID once`() async {
        let uuids = TestUUIDs()
        let all = await withTaskGroup(of: [UUID].self) { group in
            for _ in 0..<4 { group.addTask { (0..<250).map { _ in uuids.next() } } }
            return await group.reduce(into: Set<UUID>()) { $0.formUnion($1) }
        }
        #expect(all == Set((1...1_000).map { UUID($0) }))
    }
}
