import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// Imports that must find unsaved objects, including those that a hook changes during the import.
@Suite("Imports beside unsaved objects") struct ImportBesideUnsavedTests {
    enum Change: CaseIterable {
        case unsavedTakesCode, storedTakesCode, newTakesCode, importedTakesCode, unsavedGivesCode
        case unsavedIsDeleted, earlierRowTakesCode
    }

    private func context(isClean: Bool = false) throws -> (TestStack, ManagedObjectContext) {
        let test = try TestStack(for: Guest.self)
        try test.stack.saveWithBlockAndWait { context in
            for email in ["stored", "edited"] { try Guest.create(in: context, email: email) }
        }
        let context = test.stack.newContext()
        if isClean { return (test, context) }
        try Guest.create(in: context, email: "unsaved")
        try Guest.findFirst(by: \.email, "edited", in: context)?.name = "edited"
        return (test, context)
    }

    /// - Parameter people: objects that the program holds, so that the hook runs no request.
    private func carryOut(
        _ change: Change, _ people: [String: Guest], _ imported: Guest,
        in context: ManagedObjectContext
    ) throws {
        switch change {
        case .unsavedTakesCode: people["unsaved"]?.email = "last"
        case .storedTakesCode: people["stored"]?.email = "last"
        case .newTakesCode: try Guest.create(in: context, email: "last")
        case .importedTakesCode: imported.email = "last"
        // The hook of a later row makes this change.
        case .earlierRowTakesCode: people["first"]?.email = "last"
        case .unsavedGivesCode: people["edited"]?.email = "other"
        case .unsavedIsDeleted: try people["edited"]?.delete()
        }
    }

    @Test(arguments: Change.allCases, [false, true])
    func `an import row matches an object whose identity a hook has changed`(
        change: Change, inOneBatch: Bool
    ) throws {
        let (test, context) = try context()
        var people = Dictionary(
            uniqueKeysWithValues: try Guest.find(in: context).map { ($0.email, $0) })
        var hooks = ImportHooks()
        hooks.didImport(Guest.self) { person, row in
            let email = row["email"]?.string ?? ""
            if email == "first" { people[email] = person }
            if email == (change == .earlierRowTakesCode ? "1" : "first") {
                try carryOut(change, people, person, in: context)
            }
        }
        let rest = (0..<(inOneBatch ? 2 : 1_500)).map { "{\"email\":\"\($0)\"}" }
        let rows =
            ["{\"email\":\"first\"}"] + rest + ["{\"email\":\"edited\"}", "{\"email\":\"last\"}"]
        let text = Data("[\(rows.joined(separator: ","))]".utf8)
        try Guest.importJSON(text, in: context, hooks: hooks)
        for email in ["last", "edited"] {
            #expect(try Guest.find(in: context) { $0.email == email }.count == 1, "\(email)")
        }
        #expect(
            try Guest.find(in: context) { $0.email == "other" }.count
                == (change == .unsavedGivesCode ? 1 : 0))
        withExtendedLifetime(test) {}
    }

    @Test func `an import row matches an object changed by a hook in a clean context`() throws {
        let (test, context) = try context(isClean: true)
        var first: Guest?
        var hooks = ImportHooks()
        hooks.didImport(Guest.self) { person, row in
            if first == nil { first = person }
            if row["email"]?.string == "second" { first?.email = "last" }
        }
        let text = #"[{"email":"first"},{"email":"second"},{"email":"last"}]"#
        try Guest.importJSON(Data(text.utf8), in: context, hooks: hooks)
        #expect(try Guest.find(in: context) { $0.email == "last" }.map(\.email) == ["last"])
        try context.saveAndWait()
        withExtendedLifetime(test) {}
    }

    @Test func `imported rows in several batches find unsaved objects and each other`() throws {
        let (test, context) = try context()
        for index in 0..<500 { try Guest.create(in: context, email: "\(index * 3)") }
        let emails = (0..<2_500).map { "\($0 % 2_000)" }
        let text = emails.map { "{\"email\":\"\($0)\",\"name\":\"imported\"}" }
        let data = Data("[\(text.joined(separator: ","))]".utf8)
        let report = try Guest.importJSON(data, in: context)
        #expect(report.inserted == 1_500)
        #expect(try Guest.count(in: context) { $0.name == "imported" } == 2_000)
        #expect(try Guest.count(in: context) == 2_003)
        try context.saveAndWait()
        withExtendedLifetime(test) {}
    }
}
