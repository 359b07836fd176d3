import Foundation
import RecordStack
import RecordStackTesting
import Testing

// Problems that users of MagicalRecord's importer reported. The numbers are those of its issues.

@Entity final class Patron: ManagedObject {
    @Attribute(.unique, .imported(from: "id")) var number: Int
    @Attribute(.imported(from: "full_name", "nick", orOwnName: true)) var name: String = ""
    @Attribute var visits: Int?
    @Attribute(.dateFormat(.iso8601, .pattern("dd/MM/yyyy HH:mm"), .secondsSince1970))
    var joined: Date?
    @Relationship(.imported(from: "branch", "home_branch"), inverse: \Branch.patrons)
    var branch: Branch?
    @Relationship(deleteRule: .cascade, inverse: \Loan.patron) var loans: ToMany<Loan>
}

@Entity final class Branch: ManagedObject {
    @Attribute(.unique) var code: String
    @Attribute var city: String = "nowhere"
    @Relationship(.notImported) var patrons: ToMany<Patron>
}

@Entity final class Loan: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var title: String = ""
    @Relationship(.notImported) var patron: Patron?
}

/// An entity without an identity.
@Entity final class Doodle: ManagedObject {
    @Attribute var text: String
}

/// An entity with an invalid date format.
@Entity final class Sundial: ManagedObject {
    @Attribute(.dateFormat(.pattern("yyyy 'oclock"))) var noon: Date?
}

@Suite("Complaints about other importers") struct ImportComplaintTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Patron.self, Branch.self, Loan.self, Doodle.self)
        context = test.stack.newContext()
    }

    @discardableResult
    private func load(
        _ text: String, _ options: ImportOptions = .patch, hooks: ImportHooks = ImportHooks()
    ) throws -> ImportReport {
        try Patron.importJSON(Data(text.utf8), in: context, options: options, hooks: hooks)
    }

    private func patron(_ number: Int = 1) throws -> Patron {
        try #require(try Patron.findFirst(by: \.number, number, in: context))
    }

    // MARK: Identity and duplicates

    @Test func `#710, #752, #357, #137, #144: a repeated import adds no nested object`()
        async throws
    {
        let text =
            #"{"id": 1, "loans": [{"id": 1, "title": "a"}, {"id": 2}], "branch": {"code": "x"}}"#
        try load(text)
        try await context.save()
        #expect(try load(text).unchanged == 1)
        #expect(!context.hasChanges)
        #expect(try Loan.count(in: context) == 2 && Branch.count(in: context) == 1)
    }

    @Test func `#1014, #1202: two concurrent imports create no object twice`() async throws {
        let stack = test.stack
        let text = Data(#"[{"id": 1, "branch": "x"}, {"id": 2, "branch": "x"}]"#.utf8)
        async let one = stack.importJSON(text, into: Patron.self)
        async let other = stack.importJSON(text, into: Patron.self)
        #expect(try await one.inserted + other.inserted == 2)
        #expect(try Patron.count(in: context) == 2 && Branch.count(in: context) == 1)
    }

    @Test func `#1231, #649: an import key as text and as a number are one key`() throws {
        let report = try load(#"[{"id": 7}, {"id": "7"}, {"id": 7.0}]"#)
        #expect(report.inserted == 1 && report.unchanged == 2)
    }

    @Test func `#1223: an import identifies Encodable rows like JSON rows`() throws {
        struct Reply: Encodable {
            let id: String
            let nick: String
        }
        try load(#"{"id": 1, "full_name": "Ann"}"#)
        let report = try Patron.importEncodable([Reply(id: "1", nick: "Ann")], in: context)
        #expect(report.unchanged == 1)
    }

    @Test func `#1296, #1297, #1129: an unknown import profile changes nothing`() throws {
        var options = ImportOptions()
        options.profile = "versoin 3"
        let error = #expect(throws: RecordStackError.self) { try load(#"{"id": 1}"#, options) }
        #expect(error?.code == .misuse && !context.hasChanges)
        // A key under another name than the declared one is missing, so the row creates no object.
        try load(#"{"id": 1, "full_name": "Ann"}"#)
        let report = try load(#"{"number": 1, "full_name": "Bob"}"#)
        #expect(report.skipped == 1 && report.problems.map(\.property) == ["number"])
        #expect(try Patron.count(in: context) == 1 && patron().name == "Ann")
    }

    @Test func `#639: an import identity can have several values or be computed`() throws {
        let context = try TestStack(for: Fixture.self, Beast.self, Tabby.self, Hound.self).stack
            .newContext()
        let rows =
            #"[{"year": 1, "league": "a", "number": 2}, {"year": 1, "league": "b", "number": 2}]"#
        #expect(try Fixture.importJSON(Data(rows.utf8), in: context).inserted == 2)
        #expect(try Fixture.importJSON(Data(rows.utf8), in: context).unchanged == 2)
        let beasts =
            #"[{"herd": "x", "place": 1, "name": "N"}, {"herd": "x", "place": 2, "name": "M"}]"#
        #expect(try Tabby.importJSON(Data(beasts.utf8), in: context).inserted == 2)
        _ = try Tabby.importJSON(Data(beasts.utf8), in: context)
        #expect(try Tabby.count(in: context) == 2)
    }

    @Test func `#1213: an import of an entity without an identity makes new objects`() throws {
        let text = Data(#"[{"text": "a"}, {"text": "a"}]"#.utf8)
        let report = try Doodle.importJSON(text, in: context)
        #expect(report.inserted == 2 && report.problems.isEmpty)
    }

    @Test func `#521, #282, #557, #864, #972: an import creates an object from its key`() throws {
        try load(#"{"id": 1, "branch": "x"}"#)
        #expect(try patron().branch?.code == "x")
        var options = ImportOptions()
        options.missing = .skip
        let skipped = try load(#"{"id": 2, "branch": "y"}"#, options)
        #expect(skipped.inserted == 1 && skipped.problems.count == 1)
        options.missing = .fail
        #expect(try load(#"{"id": 3, "branch": "y"}"#, options).skipped == 1)
        #expect(try Branch.count(in: context) == 1)
    }

    @Test func `#1152: importing a link by key writes nothing to the linked object`() async throws {
        let branch = try Branch.create(in: context, code: "x", city: "Rome")
        try await context.save()
        try load(#"{"id": 1, "branch": "x"}"#)
        #expect(try patron().branch === branch && branch.city == "Rome")
        try await context.save()
        #expect(!branch.hasChanges)
    }

    @Test func `#1190: an import row that shouldImport declines creates no object`() throws {
        var hooks = ImportHooks()
        hooks.shouldImport(Loan.self) { $0["id"] != 2 }
        try load(#"{"id": 1, "loans": [{"id": 1}, {"id": 2}]}"#, hooks: hooks)
        #expect(try Loan.find(in: context).map(\.id) == [1])
    }

    @Test func `#883, #911: import hooks run in a fixed order, once for each element`() throws {
        var hooks = ImportHooks()
        var calls: [String] = []
        hooks.shouldImport(Loan.self) {
            calls.append("should \($0.path)")
            return true
        }
        hooks.willImport(Loan.self) { calls.append("will \($1.path)") }
        hooks.didImport(Loan.self) { calls.append("did \($1.path)") }
        hooks.didImport(Patron.self) { _, _ in calls.append("patron") }
        try load(#"{"id": 1, "loans": [{"id": 1}, {"id": 2}]}"#, hooks: hooks)
        #expect(
            calls == [
                "should loans.0", "should loans.1", "will loans.0", "did loans.0", "will loans.1",
                "did loans.1", "patron",
            ])
    }

    // MARK: Values

    @Test func `#727, #1053, #1194, #1371: an imported null clears a relationship`() throws {
        try load(#"{"id": 1, "branch": "x"}"#)
        var options = ImportOptions()
        options.null = .ignore
        try load(#"{"id": 1, "branch": null}"#, options)
        #expect(try patron().branch != nil)
        try load(#"{"id": 1, "branch": null}"#)
        #expect(try patron().branch == nil)
    }

    @Test func `#989: a null among imported member keys is reported as a problem`() throws {
        let report = try load(#"{"id": 1, "loans": [1, null, 2]}"#)
        #expect(report.inserted == 1 && report.problems.map(\.path) == ["loans.1"])
        #expect(try patron().loans.count == 2)
    }

    @Test func `#1160, #1244: only a replace import resets a value that a row omits`() throws {
        try load(#"{"id": 1, "full_name": "Ann", "visits": 3}"#)
        try load(#"{"id": 1}"#)
        #expect(try patron().name == "Ann" && patron().visits == 3)
        try load(#"{"id": 1}"#, .replace)
        #expect(try patron().name == "" && patron().visits == nil)
    }

    @Test func `ObjectiveRecord #74, Groot #86, #88: imported null uses a fallback key`() throws {
        try load(#"{"id": 1, "full_name": null, "nick": "An"}"#)
        #expect(try patron().name == "An")
    }

    @Test func `#716, #1170, #1169, #1228: an imported null to-one uses a fallback key`() throws {
        try load(#"{"id": 1, "branch": null, "home_branch": "x"}"#)
        #expect(try patron().branch?.code == "x")
    }

    @Test func `#375: an import also tries an attribute's own name as a key`() throws {
        try load(#"{"id": 1, "name": "Ann"}"#)
        #expect(try patron().name == "Ann")
    }

    @Test(arguments: [
        #""2024-03-01T12:30:00Z""#, #""2024-03-01T13:30:00+01:00""#, #""2024-03-01T13:30:00+0100""#,
        #""01/03/2024 12:30""#, "1709296200", #""1709296200""#,
    ])
    func `#197, #361, #394, #487, #551, #1015: an import reads dates exactly`(
        text: String
    ) throws {
        let report = try load(#"{"id": 1, "joined": \#(text)}"#)
        #expect(report.problems.isEmpty)
        #expect(try patron().joined == Date(timeIntervalSince1970: 1_709_296_200))
    }

    /// Runs in a separate process with another time zone and language.
    @Test func `#484, #549, #605, #700: importing dates ignores time zone and language`() async {
        await #expect(processExitsWith: .success) {
            for (name, value) in [
                ("TZ", "Pacific/Auckland"), ("LANG", "ar_SA.UTF-8"), ("LC_ALL", "fa_IR.UTF-8"),
            ] { setenv(name, value, 1) }
            tzset()
            NSTimeZone.default = TimeZone(secondsFromGMT: -5 * 3_600 - 1_800)!
            let stack = try ContextStack(
                for: Patron.self, Branch.self, Loan.self, at: .inMemory)
            let context = stack.newContext()
            let texts = [#""2024-03-01T12:30""#, #""01/03/2024 12:30""#, "1709296200"]
            for (number, text) in texts.enumerated() {
                let row = Data(#"{"id": \#(number), "joined": \#(text)}"#.utf8)
                try Patron.importJSON(row, in: context)
                let joined = try Patron.findFirst(by: \.number, number, in: context)?.joined
                precondition(joined == Date(timeIntervalSince1970: 1_709_296_200), text)
            }
            let exported = try Patron.exportJSON(in: context)
            precondition(String(decoding: exported, as: UTF8.self).contains("2024-03-01T12:30:00Z"))
        }
    }

    /// The formats are read before any value.
    @Test func `#1042: an import with an invalid date format throws before any row`() throws {
        let context = try TestStack(for: Sundial.self).stack.newContext()
        for rows in ["[]", #"[{"noon": "1"}, {"noon": "2"}]"#] {
            let error = #expect(throws: RecordStackError.self) {
                _ = try Sundial.importJSON(Data(rows.utf8), in: context)
            }
            #expect(error?.code == .misuse && error?.property == "noon")
        }
    }

    @Test func `6dea2ee7: an import keeps all digits of a 64-bit integer`() throws {
        try load(#"[{"id": 9007199254740993}, {"id": "9223372036854775807"}]"#)
        #expect(try patron(9_007_199_254_740_993).number == 9_007_199_254_740_993)
        #expect(try patron(.max).number == .max)
        let report = try load(#"[{"id": 9223372036854775808}, {"id": 1.5}]"#)
        #expect(report.skipped == 2 && report.problems.allSatisfy { $0.path == "id" })
    }

    @Test func `#711, #608, #214: an import reports a value in place of an object`() throws {
        let report = try load(#"[1, "x", null, [], {"id": 1, "branch": [1], "loans": "x"}]"#)
        #expect(report.skipped == 4 && report.inserted == 1)
        #expect(report.problems.map(\.row) == [0, 1, 2, 3, 4, 4])
    }

    @Test func `#795: an import deletes members that left its source, on request`() throws {
        try load(#"{"id": 1, "loans": [1, 2, 3]}"#)
        var options = ImportOptions()
        options.members = .replaceAndDelete
        try load(#"{"id": 1, "loans": [2]}"#, options)
        #expect(try Loan.find(in: context).map(\.id) == [2])
    }

    @Test func `#821, #833: a row can be imported into an existing object`() throws {
        let patron = try Patron.create(in: context, number: 1)
        try patron.importDictionary(["full_name": "Ann", "branch": ["code": "x"]])
        #expect(patron.name == "Ann" && patron.branch?.code == "x")
    }
}
