import Dispatch
import RecordStack
import RecordStackModel
import RecordStackTesting
import Synchronization
import Testing

/// A value that lets a test act while it is being read.
struct Dial: AttributeValue {
    var number: Int

    static let attributeType = AttributeType(name: "Dial", storage: .integer)
    static let placeholder = Dial(number: 0)
    static let onReading = Mutex<(number: Int, body: @Sendable () -> Void)?>(nil)

    var storedValue: StoredValue { .integer(Int64(number)) }

    init(number: Int) { self.number = number }

    init?(storedValue: StoredValue) {
        guard case .integer(let number) = storedValue else { return nil }
        self.number = Int(number)
        let body = Self.onReading.withLock { hook in
            guard let (number, body) = hook, number == self.number else {
                return nil as (@Sendable () -> Void)?
            }
            hook = nil
            return body
        }
        body?()
    }
}

@Entity final class Manometer: ManagedObject {
    @Attribute var dial: Dial = Dial(number: 0)
}

/// Operations of several reads, while another context commits at their beginning.
@Suite("Order of transactions", .serialized) struct TransactionOrderTests {
    enum Operation: CaseIterable { case page, find, prefetching }

    @Test(arguments: Operation.allCases)
    func `a find in a child shows a save written while its parent merges`(
        operation: Operation
    ) async throws {
        let test = try TestStack(
            entities: [Manometer.self, Person.self, Team.self], at: .temporaryFile)
        let stack = test.stack
        try await stack.saveWithBlock { context in
            try Manometer.create(in: context)
            try Person.create(in: context, email: "ann", name: "old").team = Team.create(
                in: context, title: "A")
        }
        let parent = stack.newContext(name: "parent")
        let child = parent.newChild(name: "child")
        let gauge = try #require(try Manometer.findFirst(in: parent))
        #expect(gauge.dial.number == 0)
        try await stack.saveWithBlock { try Manometer.findFirst(in: $0)?.dial = Dial(number: 7) }
        let done = Mutex(false)
        Dial.onReading.withLock {
            $0 = (
                7,
                {
                    let saved = DispatchSemaphore(value: 0)
                    DispatchQueue(label: "rival").async {
                        try? stack.saveWithBlockAndWait {
                            try Person.findFirst(in: $0)?.name = "new"
                        }
                        done.withLock { $0 = true }
                        saved.signal()
                    }
                    saved.wait()
                }
            )
        }
        defer { Dial.onReading.withLock { $0 = nil } }
        let people: [Person] =
            switch operation {
            case .page: try Person.page(1, size: 10, in: child).items
            case .find: try Person.find(in: child)
            case .prefetching: try Person.find(prefetching: { $0.team }, in: child)
            }
        #expect(done.withLock { $0 } && gauge.dial.number == 7)
        #expect(try Person.count(in: child) == 1)
        #expect(people.map(\.name) == ["new"])
    }
}
