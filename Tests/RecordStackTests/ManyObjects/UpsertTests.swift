import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

@Entity(.unique(\.course, \.number)) final class Lecture: ManagedObject {
    @Attribute var course: String?
    @Attribute var number: Int = 0
    @Attribute(.indexed) var room: String = ""
    @Attribute var title: String = ""
    var length: Int { title.count }
}

/// `upsert`, which finds or creates the object of each row.
@Suite("Upserts") struct UpsertTests {
    private struct Row: Sendable {
        var mail: String?
        var name: String
    }

    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Person.self, Lecture.self, Animal.self, Dog.self)
        context = test.stack.newContext()
    }

    private func rows(_ range: Range<Int>) -> [Row] {
        range.map { Row(mail: "p\($0)", name: "n\($0)") }
    }

    @discardableResult
    private func upsert(
        _ rows: [Row], in other: ManagedObjectContext? = nil
    ) throws -> (summary: UpsertSummary, new: [String?]) {
        var new: [String?] = []
        let summary = try Person.upsert(
            rows, by: \.email, key: { $0.mail }, in: other ?? context
        ) { person, row, isNew in
            if isNew { new.append(row.mail) }
            if let mail = row.mail { #expect(person.email == mail) }
            person.name = row.name
        }
        return (summary, new)
    }

    @Test func `an upsert matches stored and pending objects and inserts the rest`() throws {
        try test.seed { for number in 0..<3 { try Person.create(in: $0, email: "p\(number)") } }
        let pending = try Person.create(in: context, email: "p5")
        let stored = try #require(try Person.findFirst(by: \.email, "p1", in: context))
        let (summary, new) = try upsert(rows(0..<7))
        #expect(new == ["p3", "p4", "p6"])
        #expect(summary.inserted == 3 && summary.matched == 4)
        #expect(pending.name == "n5" && stored.name == "n1")
        var written = SaveSummary()
        (written.inserted, written.updated) = (4, 3)
        #expect(try context.saveAndWait() == .saved(written))
        #expect(try Person.count(in: context) == 7)
    }

    @Test func `an upsert runs a query per 1,000 rows, and a repeat writes nothing`() throws {
        let rows = rows(0..<2_500)
        let statements = try test.recorder.statements { try upsert(rows) }
        // Other statements reserve keys for new objects.
        #expect(statements.count { $0.hasPrefix("SELECT t0") } == 3)
        try context.saveAndWait()
        let other = test.stack.newContext()
        let (summary, new) = try test.expectStatements(3, .reads) { try upsert(rows, in: other) }
        #expect(summary.matched == 2_500 && summary.inserted == 0 && new.isEmpty)
        let outcome = try test.expectStatements(0, .writes) { try other.saveAndWait() }
        #expect(outcome == .noChanges)
    }

    @Test func `an upsert without rows runs no statement`() async throws {
        try await test.expectStatements(0) {
            #expect(try upsert([]).summary == upsert([]).summary)
            #expect(!context.hasChanges)
            let none = try await test.stack.upsert(
                Person.self, [String](), by: \.email, key: { $0 }
            ) { _, _, _ in }
            #expect(none.inserted == 0 && none.matched == 0)
        }
    }

    @Test func `upsert rows with the same email share one object across batches`() throws {
        var rows = rows(0..<2_100)
        rows[1].mail = "p0"
        rows[2_050].mail = "p0"
        rows[2_051].mail = "p7"
        let (summary, _) = try upsert(rows)
        #expect(summary.inserted == 2_097 && summary.matched == 3)
        #expect(try Person.findFirst(by: \.email, "p0", in: context)?.name == "n2050")
        // Stored objects are found again for each batch.
        try context.saveAndWait()
        #expect(try upsert(rows).summary.matched == 2_100)
    }

    @Test func `an upsert always inserts a new object for a row whose value is nil`() throws {
        var made: [Lecture] = []
        for _ in 0..<2 {
            let summary = try Lecture.upsert(
                [nil, "a", nil] as [String?], by: \.course, key: { $0 }, in: context
            ) { lecture, course, isNew in
                #expect(lecture.course == course)
                made.append(lecture)
                lecture.number = made.count
            }
            #expect(summary.inserted == (made.count == 3 ? 3 : 2))
        }
        #expect(Set(made.map(\.objectID)).count == 5 && made[4] === made[1])
        // For a required attribute, the closure must then set the value.
        try upsert([Row(mail: nil, name: "x")])
        #expect(try Person.count(in: context) { $0.name == "x" } == 1)
    }

    @Test func `an upsert matches texts by their bytes`() throws {
        let (summary, _) = try upsert([
            Row(mail: "\u{E9}", name: "one"), Row(mail: "e\u{301}", name: "two"),
        ])
        #expect(summary.inserted == 2)
        try context.saveAndWait()
        let other = test.stack.newContext()
        let (again, _) = try upsert([Row(mail: "e\u{301}", name: "three")], in: other)
        #expect(again.matched == 1)
        #expect(try Person.values(of: \.name, in: other) == ["one", "three"])
    }

    @Test func `an upsert matches unsaved values in the context and its parent`() throws {
        try test.seed {
            for email in ["a", "b", "c", "d"] { try Person.create(in: $0, email: email) }
        }
        try #require(try Person.findFirst(by: \.email, "a", in: context)).email = "x"
        try #require(try Person.findFirst(by: \.email, "b", in: context)).delete()
        let child = context.newChild()
        try #require(try Person.findFirst(by: \.email, "c", in: child)).email = "y"
        let keys = ["x", "y", "a", "b", "c", "d"]
        let (summary, new) = try upsert(keys.map { Row(mail: $0, name: "met") }, in: child)
        #expect(new == ["a", "b", "c"] && summary.matched == 3)
        try child.saveAndWait()
        #expect(
            try Person.values(of: \.name, in: test.stack.newContext()).allSatisfy { $0 == "met" })
    }

    @Test func `an upsert matches no object whose required attribute is not set yet`() throws {
        let unset = try context.create(Person.self)
        let (summary, _) = try upsert([Row(mail: "", name: "x")])
        #expect(unset.email.isEmpty && summary.inserted == 1 && unset.name.isEmpty)
    }

    @Test func `an upsert picks the object with the lowest key if several match`() throws {
        try test.seed { context in
            for number in 0..<4 {
                let lecture = try context.create(Lecture.self)
                (lecture.room, lecture.number) = (number % 2 == 0 ? "east" : "west", number)
            }
        }
        let pending = try context.create(Lecture.self)
        pending.room = "west"
        try #require(try Lecture.findFirst(by: \.number, 2, in: context)).title = "changed"
        for _ in 0..<2 {
            var met: [Int] = []
            try Lecture.upsert(["west", "east"], by: \.room, key: { $0 }, in: context) {
                lecture, _, _ in met.append(lecture.number)
            }
            #expect(met == [1, 0])
            try context.saveAndWait()
        }
    }

    @Test func `later rows of an upsert see deletions and changes by its closure`() throws {
        var seen: [String] = []
        try Person.upsert(
            ["a", "a", "b", "c", "b"], by: \.email, key: { $0 }, in: context
        ) { person, key, isNew in
            seen.append((isNew ? "+" : "=") + key)
            if key == "a" { try person.delete() }
            if key == "b" { person.email = "c" }
        }
        #expect(seen == ["+a", "+a", "+b", "=c", "+b"])
    }

    @Test func `an upsert of a superentity matches objects of subentities`() throws {
        try Dog.create(in: context, name: "rex")
        var kinds: [String] = []
        try Animal.upsert(["rex", "tom"], by: \.name, key: { $0 }, in: context) { animal, _, _ in
            kinds.append("\(type(of: animal))")
        }
        #expect(kinds == ["Dog", "Animal"])
    }

    @Test func `an upsert by a key path that is no attribute throws at once`() {
        let error = #expect(throws: RecordStackError.self) {
            try Lecture.upsert([1], by: \.length, key: { $0 }, in: context) { _, _, _ in }
        }
        #expect(error?.code == .misuse && !context.hasChanges)
    }
}
