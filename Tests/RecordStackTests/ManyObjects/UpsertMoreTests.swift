import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

@Entity(.unique(\.room, \.number)) final class Seminar: ManagedObject {
    @Attribute var room: String? = "hall"
    @Attribute var number: Int? = 1
}

/// `upsert` by two attributes, on a stack, and compared with a lookup for each row.
@Suite("Upserts by two attributes and on stacks") struct UpsertMoreTests {
    private struct Row: Sendable {
        let course: String?
        let number: Int
        let title: String
    }

    private let test: TestStack

    init() throws {
        test = try TestStack(for: Lecture.self)
    }

    private func upsert(
        _ rows: [Row], in context: ManagedObjectContext
    ) throws -> UpsertSummary {
        try Lecture.upsert(
            rows, by: \.course, \.number, key: { ($0.course, $0.number) }, in: context
        ) { lecture, row, _ in
            #expect(lecture.course == row.course)
            #expect(row.course == nil || lecture.number == row.number)
            lecture.title = row.title
        }
    }

    @Test func `an upsert by two attributes matches objects only if both are equal`() throws {
        let rows = (0..<2_400).map {
            Row(course: "c\($0 / 30)", number: $0 % 30, title: "t\($0)")
        }
        let context = test.stack.newContext()
        let pending = try context.create(Lecture.self)
        (pending.course, pending.number) = ("c1", 2)
        let summary = try upsert(rows, in: context)
        #expect(summary.inserted == 2_399 && summary.matched == 1 && pending.title == "t32")
        try context.saveAndWait()
        let other = test.stack.newContext()
        let again = try test.expectStatements(3, .reads) { try upsert(rows, in: other) }
        #expect(again.matched == 2_400)
        #expect(try other.saveAndWait() == .noChanges)
        // The upsert reads only the rows with the given keys.
        #expect(try upsert([rows[31], rows[62]], in: test.stack.newContext()).matched == 2)
    }

    @Test func `an upsert by two attributes runs one query for 1,000 pairs of values`() throws {
        let rows = (0..<1_000).map { Row(course: "c\($0)", number: $0, title: "") }
        try test.seed { _ = try upsert(rows, in: $0) }
        let context = test.stack.newContext()
        let summary = try test.expectStatements(1, .reads) { try upsert(rows, in: context) }
        #expect(summary.matched == 1_000)
        let crossed = [
            Row(course: "c1", number: 2, title: ""), Row(course: "c2", number: 1, title: ""),
        ]
        #expect(try upsert(crossed, in: context).inserted == 2)
    }

    @Test func `an upsert by two attributes inserts a new object if one value is nil`() throws {
        let context = test.stack.newContext()
        let rows = [
            Row(course: nil, number: 1, title: "a"), Row(course: nil, number: 1, title: "b"),
        ]
        #expect(try upsert(rows, in: context).inserted == 2)
        try context.saveAndWait()
        #expect(try upsert(rows, in: context).inserted == 2)
    }

    /// Tests each form of upserting by two attributes.
    @Test(arguments: [false, true])
    func `an upsert by two attributes still sets one if the other value is nil`(
        onStack: Bool
    ) async throws {
        let rows: [(room: String?, number: Int?)] = [
            ("a", nil), (nil, 4), (nil, nil), ("b", 5), ("a", nil),
        ]
        let test = try TestStack(for: Seminar.self)
        for _ in 0..<2 {
            if onStack {
                try await test.stack.upsert(
                    Seminar.self, rows, by: \.room, \.number, key: { ($0.room, $0.number) }
                ) { _, _, _ in }
            } else {
                let context = test.stack.newContext()
                try Seminar.upsert(
                    rows, by: \.room, \.number, key: { ($0.room, $0.number) }, in: context
                ) { seminar, row, _ in
                    #expect(seminar.room == row.room && seminar.number == row.number)
                }
                try await context.save()
            }
        }
        let found = try Seminar.find(in: test.stack.newContext())
        let wanted = (rows + rows.filter { $0.room == nil || $0.number == nil })
            .map { "\($0.room ?? "-") \($0.number ?? -1)" }
        #expect(found.map { "\($0.room ?? "-") \($0.number ?? -1)" }.sorted() == wanted.sorted())
    }

    @Test func `an upsert with a nil value sets nil instead of the attribute's default`() throws {
        let context = try TestStack(for: Seminar.self).stack.newContext()
        try Seminar.upsert([nil] as [Int?], by: \.number, key: { $0 }, in: context) {
            seminar, _, _ in
            #expect(seminar.number == nil)
        }
        #expect(try Seminar.find(in: context).map(\.number) == [nil])
    }

    @MainActor @Test
    func `a stack's upsert saves at once, and writes nothing if nothing changes`() async throws {
        let stack = test.stack
        let rows = ["a", "b", "a"]
        let summary = try await stack.upsert(Lecture.self, rows, by: \.room, key: { $0 }) {
            lecture, room, isNew in
            lecture.title += isNew ? "new" : "+"
        }
        #expect(summary.inserted == 2 && summary.matched == 1)
        let context = stack.defaultContext
        #expect(try Lecture.findFirst(by: \.room, "a", in: context)?.title == "new+")
        let pairs = try await stack.upsert(
            Lecture.self, [1, 2], by: \.room, \.number, key: { ("a", $0) }
        ) { _, _, _ in }
        #expect(pairs.inserted == 2)
        let again = try await test.expectStatements(0, .writes) {
            try await stack.upsert(Lecture.self, rows, by: \.room, key: { $0 }) { _, _, _ in }
        }
        #expect(again.matched == 3)
    }

    @Test func `upsertAndWait saves at once, and nothing if its closure throws`() throws {
        struct Refused: Error {}
        let rows = ["a", "b"]
        let one = try test.stack.upsertAndWait(Lecture.self, rows, by: \.room, key: { $0 }) {
            $0.title = $1
            #expect($2)
        }
        let two = try test.stack.upsertAndWait(
            Lecture.self, rows, by: \.room, \.title, key: { ($0, $0) }
        ) { _, _, isNew in #expect(!isNew) }
        #expect(one.inserted == 2 && two.matched == 2)
        #expect(throws: Refused.self) {
            try test.stack.upsertAndWait(Lecture.self, ["c", "d"], by: \.room, key: { $0 }) {
                lecture, room, _ in
                if room == "d" { throw Refused() }
                lecture.title = "lost"
            }
        }
        #expect(try Lecture.count(in: test.stack.newContext()) == 2)
    }

    @Test func `an upsert of random rows equals a findFirstOrCreate for each row`() async throws {
        var random = Seeded.fromEnvironment()
        for _ in 0..<Seeded.rounds(40, full: 1_000) {
            let seed = random.next()
            let found = try [true, false].map { isTogether in
                var random = Seeded(seed: seed)
                let stack = try TestStack(for: Lecture.self).stack
                return try Self.play(stack, isTogether: isTogether, &random)
            }
            #expect(found[0] == found[1], "seed \(seed)")
        }
    }

    /// Upserts by a text that several objects have, in a child of a context with changes. It passes
    /// all rows together, or each row alone.
    private static func play(
        _ stack: ContextStack, isTogether: Bool, _ random: inout Seeded
    ) throws -> [String] {
        let context = stack.newContext()
        let all = try context.create(Lecture.self, from: 0..<30) {
            ($0.room, $0.number) = (text(&random), $1)
        }
        try context.saveAndWait()
        for lecture in all where random.chance(30) { lecture.room = text(&random) }
        for lecture in all where random.chance(10) { try lecture.delete() }
        let child = context.newChild()
        for lecture in try Lecture.find(in: child) where random.chance(20) {
            lecture.room = text(&random)
        }
        let rows = (0..<40).map { (text(&random), $0) }
        if isTogether {
            try Lecture.upsert(rows, by: \.room, key: { $0.0 }, in: child) { lecture, row, _ in
                lecture.title += "\(row.1),"
            }
        } else {
            for (room, number) in rows {
                try Lecture.findFirstOrCreate(by: \.room, room, in: child).title += "\(number),"
            }
        }
        try child.saveAndWait()
        return try Lecture.find(in: stack.newContext()).map {
            "\($0.number) \($0.room) \($0.title)"
        }
    }

    private static func text(_ random: inout Seeded) -> String {
        ["", "a", "A", "\u{E9}", "e\u{301}", "b", "c", "d", "e", "f", "g"][random.below(11)]
    }
}
