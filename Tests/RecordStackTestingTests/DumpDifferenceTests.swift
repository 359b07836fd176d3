import RecordStack
import RecordStackTesting
import Synchronization
import Testing

/// Comparisons of dumps.
@Suite("Dump differences") struct DumpDifferenceTests {
    private func makeTest() throws -> TestStack {
        try TestStack(for: Remark.self, Club.self) { context in
            let club = try Club.create(in: context, title: "A")
            let members = try Factory.member.create(3, in: context) { member, index in
                member.email = ["ann", "bob", "cat"][index]
                member.club = club
            }
            for member in members {
                try Remark.create(in: context, text: "by \(member.email)", author: member)
            }
        }
    }

    private func change(
        _ test: TestStack, _ body: (ManagedObjectContext) throws -> Void
    ) throws -> DumpDifference {
        let before = try test.dump()
        try test.seed(body)
        return try test.dump().difference(from: before)
    }

    @Test func `equal dumps have no difference`() throws {
        let test = try makeTest()
        let difference = try change(test) { _ in }
        #expect(difference.isEmpty && "\(difference)" == "no difference")
        #expect(try makeTest().dump().difference(from: test.dump()).isEmpty)
        expectNoDifference(try test.dump(), try makeTest().dump())
    }

    @Test func `deleting and re-creating an object makes no difference between dumps`() throws {
        let test = try TestStack(for: Member.self) { context in
            try Member.create(in: context, email: "ann")
        }
        let difference = try change(test) { context in
            try Member.delete(in: context) { $0.email == "ann" }
            try context.saveAndWait()
            try Member.create(in: context, email: "ann")
        }
        #expect(difference.isEmpty, "\(difference)")
    }

    @Test func `a dump difference names added, removed and changed objects`() throws {
        let difference = try change(try makeTest()) { context in
            try Member.findFirst(by: \.email, "bob", in: context)?.age = 7
            try Remark.delete(in: context) { $0.text == "by cat" }
            try Member.delete(in: context) { $0.email == "cat" }
            try Club.create(in: context, title: "B")
        }
        #expect(
            "\(difference)" == """
                ~ Club "A"
                    members:
                      - Member "cat"
                + Club "B"
                    title: "B"
                    members: 0
                - Member "cat"
                ~ Member "bob"
                    age: nil → 7
                - Remark #3
                """)
    }

    @Test func `texts with different Unicode scalars differ in dumps`() throws {
        // Swift's == treats Å the letter and Å the unit sign as equal.
        let test = try makeTest()
        let one = try test.dump()
        try test.seed { try Club.findFirst(by: \.title, "A", in: $0)?.title = "\u{C5}" }
        let letter = try test.dump()
        let difference = try change(test) { context in
            try Club.findFirst(by: \.title, "\u{C5}", in: context)?.title = "\u{212B}"
        }
        #expect(
            "\(difference)".utf8.elementsEqual(
                "~ Club \"\u{C5}\"\n    title: \"\u{C5}\" → \"\u{212B}\"".utf8))
        #expect(try test.dump() != letter && letter != one)
        #expect(try test.dump().hashValue == test.dump().hashValue)
    }

    @Test func `a dump difference within one store shows a changed identity`() throws {
        let difference = try change(try makeTest()) { context in
            try Member.findFirst(by: \.email, "bob", in: context)?.email = "zoe"
        }
        #expect(
            "\(difference)" == """
                ~ Member "bob"
                    email: "bob" → "zoe"
                """)
    }

    @Test func `a dump difference within one store tells similar objects apart`() throws {
        let difference = try change(try makeTest()) { context in
            try Remark.delete(in: context) { $0.text == "by ann" }
        }
        #expect("\(difference)" == "- Remark #1")
    }

    @Test func `comparing dumps of two stores shows a changed identity as two objects`() throws {
        let (one, other) = (try makeTest(), try makeTest())
        try other.seed { context in
            try Member.findFirst(by: \.email, "bob", in: context)?.email = "zoe"
        }
        let difference = try other.dump().difference(from: one.dump())
        #expect(
            "\(difference)" == """
                ~ Club "A"
                    members:
                      - Member "bob"
                      + Member "zoe"
                - Member "bob"
                + Member "zoe"
                    email: "zoe"
                    name: "Member 2"
                    age: nil
                    born: nil
                    photo: nil
                    club: Club "A"
                ~ Remark #2
                    author: Member "bob" → Member "zoe"
                """)
    }

    @Test func `expectNoDifference reports the difference at the line of its call`() async throws {
        let test = try makeTest()
        let before = try test.dump()
        try test.seed { try Club.create(in: $0, title: "B") }
        let after = try test.dump()
        let issues = Mutex<[Issue]>([])
        let line = #line + 2
        withKnownIssue {
            expectNoDifference(before, after)
        } matching: { issue in
            issues.withLock { $0.append(issue) }
            return true
        }
        let issue = issues.withLock(\.first)
        #expect(issue?.sourceLocation?.line == line)
        #expect(
            issue?.comments.map(\.rawValue) == [
                """
                Expected no difference, and there is one:
                + Club "B"
                    title: "B"
                    members: 0
                """
            ])
    }
}

/// An entity in one version of an app and in the next.
private enum OldModel {
    @Entity final class Item: ManagedObject {
        @Attribute(.unique) var code: String
        @Attribute var weight: Int = 1
    }
}

private enum NewModel {
    @Entity final class Item: ManagedObject {
        @Attribute(.unique) var code: String
        @Attribute var color: String?
    }
}

/// Comparisons of dumps of two models.
@Suite("Dump differences between models") struct ModelDifferenceTests {
    @Test func `a dump difference names properties that only one model has`() throws {
        let old = try TestStack(for: OldModel.Item.self) {
            try OldModel.Item.create(in: $0, code: "a")
        }
        let new = try TestStack(for: NewModel.Item.self, Club.self) {
            try NewModel.Item.create(in: $0, code: "a", color: "red")
            try Club.create(in: $0, title: "A")
        }
        #expect(
            "\(try new.dump().difference(from: old.dump()))" == """
                + Club "A"
                    title: "A"
                    members: 0
                ~ Item "a"
                    weight: 1 → (no such property)
                    color: (no such property) → "red"
                """)
        #expect(
            "\(try old.dump().difference(from: new.dump()))" == """
                - Club "A"
                ~ Item "a"
                    color: "red" → (no such property)
                    weight: (no such property) → 1
                """)
    }
}
