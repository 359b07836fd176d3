import RecordStack
import RecordStackTesting
import Testing

/// Filters that are written like conditions on values.
@Suite("Filters with contains") struct ContainingFilterTests {
    private func keys(@FilterBuilder _ condition: (FilterProxy<Deckhand>) -> Filter) throws
        -> String
    {
        let test = try TestStack(for: Deckhand.self)
        func fill(_ context: ManagedObjectContext) throws {
            for (key, age, name) in [
                ("a", 1, ""), ("b", 5, nil), ("c", nil, "Cid"), ("d", 9, "Dan"),
            ] {
                try Deckhand.create(in: context, key: key, age: age, name: name)
            }
            let mates = try Deckhand.find(in: context) { $0.key == "a" || $0.key == "b" }
            try Deckhand.findFirst(by: \.key, "d", in: context)?.mates.replaceAll(with: mates)
        }
        func found(_ context: ManagedObjectContext) throws -> String {
            try Deckhand.values(
                of: \.key, sortedBy: .ascending(\.key), in: context, where: condition
            ).joined()
        }
        let unsaved = test.stack.newContext()
        try fill(unsaved)
        let pending = try found(unsaved)
        unsaved.rollback()
        try test.seed(fill)
        let stored = try found(test.stack.newContext())
        #expect(pending == stored)
        return stored
    }

    @Test func `a filter can check whether a list or range contains a property`() throws {
        #expect(try keys { ["a", "d", "x"].contains($0.key) } == "ad")
        #expect(try keys { Set([1, 9]).contains($0.age) } == "ad")
        #expect(try keys { [Int?.none, 5].contains($0.age) } == "bc")
        #expect(try keys { (1...5).contains($0.age) } == "ab")
        #expect(try keys { (1..<5).contains($0.age) } == "a")
        #expect(try keys { ("b"...).contains($0.key) && (...5).contains($0.age) } == "b")
        #expect(try keys { (..<5).contains($0.age) } == "a")
        #expect(try keys { !(..<5).contains($0.age) } == "bcd")
    }

    @Test func `a filter can check whether a text is empty or has a prefix`() throws {
        #expect(try keys { $0.name.isEmpty } == "a")
        #expect(try keys { !$0.name.isEmpty } == "bcd")
        #expect(try keys { $0.name.starts(with: "C") || $0.key.starts(with: "d") } == "cd")
    }

    @Test func `a filter can use contains and allSatisfy on members`() throws {
        #expect(try keys { $0.mates.contains { $0.age == 5 } } == "d")
        #expect(try keys { $0.mates.contains(where: { $0.age == 9 }) } == "")
        #expect(try keys { !$0.mates.isEmpty && $0.mates.allSatisfy { $0.age < 6 } } == "d")
    }
}

@Entity final class Deckhand: ManagedObject {
    var key: String
    var age: Int?
    var name: String?
    @Relationship(inverse: \Deckhand.mates) var boss: Deckhand?
    var mates: ToMany<Deckhand>
}
