import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// Values of one type, with a function that compares two of them bit by bit.
struct Extremes: Sendable, CustomTestStringConvertible {
    /// A value that is set, and the value that is read after a save.
    struct Case<Value: Sendable>: Sendable {
        let given: Value
        let kept: Value
    }

    let testDescription: String
    let check: @Sendable (TestStack.Location) async throws -> Void

    init<Value: AttributeValue, Bits: Equatable & Sendable>(
        _ values: [Value], changing changed: [Case<Value>] = [], isOrdered: Bool = true,
        bits: @escaping @Sendable (Value) -> Bits
    ) {
        testDescription = "\(Value.self)"
        let cases = values.map { Case(given: $0, kept: $0) } + changed
        check = { location in
            try await RoundTrip(cases: cases, isOrdered: isOrdered, bits: bits).run(at: location)
        }
    }

    init<Value: AttributeValue & FixedWidthInteger>(_ type: Value.Type) {
        let middle = Value.max / 2
        let values: Set<Value> = [.min, .min + 1, 0, 1, middle, middle + 1, .max - 1, .max]
        self.init(values.sorted()) { $0 }
    }
}

/// Passes values through every path that an attribute's value can take.
struct RoundTrip<Value: AttributeValue, Bits: Equatable & Sendable> {
    let cases: [Extremes.Case<Value>]
    /// Whether the values can be compared with the filters' operators in a meaningful order.
    let isOrdered: Bool
    let bits: (Value) -> Bits

    func run(at location: TestStack.Location) async throws {
        let test = try TestStack(for: Box<Value>.self, at: location)
        let context = test.stack.newContext()
        try fill(context)
        try expectFound(in: context)
        try await context.save()
        try await merge(test.stack)
        try expectFound(in: test.stack.newContext())
        try expectKept(try Box<Value>.find(sortedBy: .ascending(\.number), in: context), "saved")
        try changeNothing(in: context)
        try expectSnapshots(in: context)
        guard let path = test.path else { return }
        try test.stack.close()
        let again = try ContextStack(for: Box<Value>.self, at: .file(path))
        let reopened = again.newContext()
        try expectKept(try find(reopened), "reopened")
        try expectFound(in: reopened)
        try expectSnapshots(in: reopened)
        try again.close()
    }

    private func find(_ context: ManagedObjectContext) throws -> [Box<Value>] {
        try Box<Value>.find(sortedBy: .ascending(\.number), in: context)
    }

    private func fill(_ context: ManagedObjectContext) throws {
        for (number, entry) in cases.enumerated() {
            let box = try Box<Value>.create(in: context)
            box.number = number
            box.value = entry.given
            box.maybe = entry.given
        }
    }

    /// Merges the values of one context into objects of another that hold placeholders.
    private func merge(_ stack: ContextStack) async throws {
        let writer = stack.newContext()
        let follower = stack.newContext()
        let boxes = try find(writer)
        for box in boxes { (box.value, box.maybe) = (.placeholder, nil) }
        try await writer.save()
        let followers = try find(follower)
        #expect(followers.allSatisfy { $0.maybe == nil })
        for (box, entry) in zip(boxes, cases) {
            (box.value, box.maybe) = (entry.given, entry.given)
        }
        try await writer.save()
        _ = try Box<Value>.count(in: follower)
        try expectKept(followers, "merged")
        for box in followers { try follower.refresh(box, mergingChanges: false) }
        try expectKept(followers, "refreshed")
        for box in boxes { try writer.refresh(box) }
        try expectKept(boxes, "the writer's own")
    }

    private func expectKept(_ boxes: [Box<Value>], _ way: String) throws {
        try #require(boxes.count == cases.count)
        for (box, entry) in zip(boxes, cases) {
            let number = "\(Value.self) \(box.number), \(way)"
            #expect(bits(box.value) == bits(entry.kept), "\(number)")
            #expect(box.maybe.map(bits) == bits(entry.kept), "\(number), optional")
            #expect(!box.hasChanges, "\(number)")
        }
    }

    /// Checks that setting an equal value is no change.
    private func changeNothing(in context: ManagedObjectContext) throws {
        for (box, entry) in zip(try find(context), cases) {
            (box.value, box.maybe) = (entry.given, entry.given)
            #expect(!box.hasChanges, "\(box.changedValues())")
        }
        #expect(!context.hasChanges)
    }

    /// Checks that filters find each value, stored or pending, and that sorting orders the values.
    private func expectFound(in context: ManagedObjectContext) throws {
        for entry in cases {
            let same = cases.count { $0.kept.storedValue == entry.kept.storedValue }
            let found = try Box<Value>.find(in: context) { $0.value == entry.given }
            #expect(found.count == same)
            #expect(try Box<Value>.count(in: context) { $0.maybe == entry.given } == same)
            let first = try Box<Value>.findFirst(by: \.value, entry.given, in: context)
            #expect(first?.value.storedValue == entry.kept.storedValue)
        }
        guard isOrdered else { return }
        let sorted = try Box<Value>.find(sortedBy: .ascending(\.value), in: context).map(\.number)
        #expect(sorted == Array(cases.indices), "\(Value.self) in the order of the table")
    }

    private func expectSnapshots(in context: ManagedObjectContext) throws {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let snapshots = try Box<Value>.snapshots(sortedBy: .ascending(\.number), in: context)
        for (snapshot, entry) in zip(snapshots, cases) {
            #expect(bits(snapshot.value) == bits(entry.kept))
            #expect(snapshot.maybe.map(bits) == bits(entry.kept))
            let data = try encoder.encode(snapshot)
            #expect(try decoder.decode(Snapshot<Box<Value>>.self, from: data) == snapshot)
        }
    }
}
