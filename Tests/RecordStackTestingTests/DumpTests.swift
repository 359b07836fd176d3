import Foundation
import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// Dumps, which must be complete and always the same for the same data.
@Suite("Dumps") struct DumpTests {
    private func seed(_ context: ManagedObjectContext) throws {
        let club = try Club.create(in: context, title: "B")
        try Club.create(in: context, title: "A")
        let bob = try Member.create(in: context, email: "bob", name: "Bob \"the\" \n Builder")
        let ann = try Member.create(
            in: context, email: "ann", age: 41, born: Date(timeIntervalSinceReferenceDate: -0.5),
            photo: Data([0xff, 0xd8]), club: club)
        bob.club = club
        try Remark.create(in: context, text: "first", author: bob)
        try Remark.create(in: context, text: "second", author: ann)
    }

    private let expected = #"""
        # Club (2)
        Club "A"
          title: "A"
          members: 0
        Club "B"
          title: "B"
          members: 2
            Member "ann"
            Member "bob"

        # Member (2)
        Member "ann"
          email: "ann"
          name: ""
          age: 41
          born: 2000-12-31T23:59:59.500Z
          photo: <ffd8>
          club: Club "B"
        Member "bob"
          email: "bob"
          name: "Bob \"the\" \n Builder"
          age: nil
          born: nil
          photo: nil
          club: Club "B"

        # Remark (2)
        Remark #1
          text: "first"
          author: Member "bob"
        Remark #2
          text: "second"
          author: Member "ann"

        """#

    @Test func `a dump lists every entity, object and property in a fixed order`() throws {
        let test = try TestStack(for: Remark.self, seed: seed)
        #expect("\(try test.dump())" == expected)
        #expect(try test.dump().count(ofEntityNamed: "Member") == 2)
    }

    @Test func `stores with the same data have the same dump`() throws {
        let texts = try (0..<20).map { round in
            let test = try TestStack(
                for: Remark.self, at: round % 2 == 0 ? .memory : .temporaryFile)
            // Keys that are given out and lost must not change the dump.
            for _ in 0..<round {
                _ = try Factory.member.create(round, in: test.stack.newContext())
            }
            try test.seed(seed)
            return "\(try test.dump())"
        }
        #expect(Set(texts) == [expected])
    }

    @Test func `a context's dump includes its unsaved changes, the store's does not`() throws {
        let test = try TestStack(for: Remark.self, seed: seed)
        let context = test.stack.newContext()
        let before = try context.dump()
        #expect(try before == test.dump())
        let ann = try #require(try Member.findFirst(by: \.email, "ann", in: context))
        ann.age = 42
        ann.club = nil
        try Remark.delete(in: context) { $0.text == "first" }
        try Member.create(in: context)
        try Member.create(in: context, email: "ann")
        let after = try context.dump()
        #expect(try before == test.dump())
        #expect(before != after)
        let text = "\(after)"
        #expect(text.contains("\nMember #1\n  email: unset\n"), "\(text)")
        #expect(text.contains("\nMember \"ann\" (2)\n"))
        #expect(
            "\(after.difference(from: before))" == """
                ~ Club "B"
                    members:
                      - Member "ann"
                + Member #1
                    email: unset
                    name: ""
                    age: nil
                    born: nil
                    photo: nil
                    club: nil
                ~ Member "ann"
                    age: 41 → 42
                    club: Club "B" → nil
                + Member "ann" (2)
                    email: "ann"
                    name: ""
                    age: nil
                    born: nil
                    photo: nil
                    club: nil
                - Remark #1
                """)
    }

    @Test func `a dump lists the objects of a subentity once, under its own name`() throws {
        let test = try TestStack(for: Vehicle.self, Truck.self) { context in
            try Truck.create(in: context, cargo: 2).plate = "B"
            try Vehicle.create(in: context, plate: "A")
        }
        #expect(
            "\(try test.dump())" == """
                # Truck (1)
                Truck "B"
                  plate: "B"
                  wheels: 4
                  cargo: 2.0

                # Vehicle (1)
                Vehicle "A"
                  plate: "A"
                  wheels: 4

                """)
    }

    @Test func `a dump sorts rows by the values of their identity, not as text`() throws {
        let test = try TestStack(for: Sample.self) { context in
            for number in [10, -3, 9, 100] { try Sample.create(in: context, number: number) }
        }
        let lines = "\(try test.dump())".split(separator: "\n").filter { $0.hasPrefix("Sample") }
        #expect(lines == ["Sample -3", "Sample 9", "Sample 10", "Sample 100"])
    }

    @Test func `a dump marks a reference to a row that another program deleted`() throws {
        let test = try TestStack(for: Member.self, at: .temporaryFile) { context in
            try Factory.clubMember.create(in: context)
        }
        try ForeignProgram(path: #require(test.path)).run("DELETE FROM Club")
        let text = "\(try test.dump())"
        #expect(text.contains("# Club (0)\n") && text.contains("  club: Club (missing)\n"))
    }
}

/// Values in dumps. Each value has one text, and each text belongs to one value.
@Suite("Values in dumps") struct DumpValueTests {
    /// Returns the dump lines of an object's properties, by name.
    private func lines(
        isSaved: Bool = true, _ change: (Sample) -> Void
    ) throws -> [Substring: Substring] {
        let test = try TestStack(for: Sample.self)
        let context = test.stack.newContext()
        change(try Sample.create(in: context, number: 1))
        if isSaved { try waitedSave(context) }
        var result: [Substring: Substring] = [:]
        for line in "\(try context.dump())".split(separator: "\n") where line.hasPrefix("  ") {
            let parts = line.dropFirst(2).split(separator: ": ", maxSplits: 1)
            result[parts[0]] = parts[1]
        }
        return result
    }

    private func waitedSave(_ context: ManagedObjectContext) throws {
        try context.saveAndWait()
    }

    @Test func `a dump prints values of every attribute type`() throws {
        let lines = try lines { sample in
            sample.flag = true
            sample.real = 0.1
            sample.single = 0.1
            sample.text = "nil"
            sample.date = Date(timeIntervalSince1970: 0)
            sample.data = Data(0..<64)
            sample.uuid = UUID(1)
            sample.url = URL(string: "https://example.org/a?b=c")
            sample.decimal = Decimal(string: "-12.50")
            sample.unsigned = .max
            sample.tags = ["a", "b\"c"]
        }
        #expect(lines["flag"] == "true" && lines["real"] == "0.1" && lines["single"] == "0.1")
        #expect(lines["text"] == "\"nil\"" && lines["date"] == "1970-01-01T00:00:00Z")
        #expect(lines["data"]?.count == 130 && lines["data"]?.hasPrefix("<000102") == true)
        #expect(lines["uuid"] == "00000000-0000-0000-0000-000000000001")
        #expect(lines["url"] == "<https://example.org/a?b=c>")
        #expect(lines["decimal"] == "-12.5" && lines["unsigned"] == "18446744073709551615")
        #expect(lines["tags"] == #"["a","b\"c"]"#)
    }

    @Test func `a dump prints nil for a missing value and for NaN`() throws {
        let empty = try lines { _ in }
        #expect(empty["text"] == "nil" && empty["date"] == "nil" && empty["data"] == "nil")
        for isSaved in [false, true] {
            #expect(try lines(isSaved: isSaved) { $0.real = .nan }["real"] == "nil")
        }
        #expect(try lines { $0.real = -.infinity }["real"] == "-inf")
        #expect(try lines { $0.real = -0.0 }["real"] == "0.0")
        #expect(try lines { $0.data = Data() }["data"] == "<>")
        #expect(try lines { $0.text = "" }["text"] == "\"\"")
    }

    @Test func `a dump distinguishes texts that look alike`() throws {
        #expect(try lines { $0.text = "\u{e9}" }["text"] == "\"\u{e9}\"")
        #expect(try lines { $0.text = "e\u{301}" }["text"] == "\"e\\u{301}\"")
        #expect(try lines { $0.text = "a\u{a0}b\u{200b}" }["text"] == "\"a\\u{a0}b\\u{200b}\"")
        #expect(try lines { $0.text = "a\\n\n\t\0" }["text"] == #""a\\n\n\t\u{0}""#)
    }

    @Test func `a dump distinguishes large data by a checksum`() throws {
        let one = try lines { $0.data = Data(repeating: 7, count: 1_000) }["data"]
        var changed = Data(repeating: 7, count: 1_000)
        changed[999] = 8
        let other = try lines { $0.data = changed }["data"]
        #expect(one?.hasPrefix("<0707070707070707") == true)
        #expect(one?.contains("(1000 bytes, FNV-1a ") == true)
        #expect(one != other)
    }

    /// Returns the style for a moment with or without a fraction.
    private func style(of seconds: Double) -> Date.ISO8601FormatStyle {
        Date.ISO8601FormatStyle(includingFractionalSeconds: seconds != seconds.rounded())
    }

    /// Compares milliseconds with Foundation's text, in all years with four digits.
    @Test func `dates in dumps are exact, and Foundation reads those with milliseconds`() throws {
        var random = Seeded.fromEnvironment()
        var moments: [Double] = [252_423_993_599, -0.5, 0, 0.001]
        moments += (0..<500).map { _ in
            // Foundation uses the Julian calendar before 1582.
            Double(Int.random(in: -13_000_000_000...240_000_000_000, using: &random))
        }
        for moment in moments {
            let date = Date(timeIntervalSinceReferenceDate: moment)
            let text = try #require(try lines { $0.date = date }["date"])
            #expect(
                try Date(String(text), strategy: style(of: moment)) == date,
                "\(moment), RECORDSTACK_SEED=\(random.seed)")
        }
        let exact = [
            -63_113_904_000, 0.1, 0.1.nextUp, 700_000_000.1, 1e-7, .infinity, 1e12, -1e12, 0.123456,
        ]
        let texts = try exact.map { moment in
            try lines { $0.date = Date(timeIntervalSinceReferenceDate: moment) }["date"] ?? ""
        }
        #expect(
            texts == [
                "0001-01-01T00:00:00Z", "2001-01-01T00:00:00.100Z", "Date(0.10000000000000002)",
                "2023-03-08T20:26:40.100Z", "2001-01-01T00:00:00.000000100Z", "Date(inf)",
                "Date(1000000000000.0)", "Date(-1000000000000.0)", "2001-01-01T00:00:00.123456Z",
            ])
    }
}
