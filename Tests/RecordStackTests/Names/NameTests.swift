import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import Synchronization
import TestSupport
import Testing

/// Names that work, or are refused with advice when the stack is created.
@Suite("Names of entities, tables and properties", .serialized) struct NameTests {
    /// Whether the rule in the documentation allows a name.
    private static func isLegal(_ name: String, as role: NameRole) -> Bool {
        let lowered = name.lowercased()
        let isTable =
            isColumn(name) && !lowered.utf8.starts(with: "sqlite_".utf8)
            && !lowered.utf8.starts(with: "pragma_".utf8)
            && !["json_each", "json_tree"].contains(lowered)
        return switch role {
        case .entity: isTable && !name.utf8.contains { "/:".utf8.contains($0) }
        case .table: isTable
        case .unique, .indexed, .relationship: isColumn(name) && lowered != "number"
        case .property: !name.isEmpty && name != "number"
        }
    }

    private static func isColumn(_ name: String) -> Bool {
        !name.isEmpty && !name.utf8.contains(0) && name.utf8.first != UInt8(ascii: "_")
    }

    @Test(arguments: NastyNames.all, NameRole.allCases)
    func `every name works in every role in a model, or is refused with advice`(
        _ name: String, as role: NameRole
    ) throws {
        Nasty.description.withLock { $0 = Nasty.describe(name, as: role) }
        guard Self.isLegal(name, as: role) else { return expectRefusal(as: role) }
        // A file takes about ten times as long as memory.
        let isFile = role == .entity || role == .unique
        let test = try TestStack(for: Nasty.self, at: isFile ? .temporaryFile : .memory)
        try fill(test.stack)
        try ask(test.stack)
        try breakRule(test.stack, role)
        try test.stack.close()
        guard let path = test.path else { return }
        let other = try ForeignProgram(path: path)
        #expect(try other.rows("PRAGMA integrity_check") == [["ok"]])
        let again = try ContextStack(for: Nasty.self, at: .file(path))
        try ask(again)
        try again.saveWithBlockAndWait { context in
            try Nasty.findFirst(by: \.mark, "a", in: context)?.delete()
        }
        #expect(try Nasty.find(in: again.newContext()).map { $0.partner == nil } == [true])
        try again.close()
    }

    private func expectRefusal(as role: NameRole) {
        let error = #expect(throws: RecordStackError.self) { try TestStack(for: Nasty.self) }
        let advice = [
            "Write a name", "Give the table another name", "Give it another", "Rename", "Give",
        ]
        #expect(error?.code == .misuse && error?.entity != nil)
        #expect(advice.contains { error?.message.contains($0) == true }, "\(error?.message ?? "")")
    }

    private func fill(_ stack: ContextStack) throws {
        try stack.saveWithBlockAndWait { context in
            let a = try Nasty.create(in: context)
            let b = try Nasty.create(in: context)
            (a.mark, a.number) = ("a", 1)
            (b.mark, b.number, b.partner) = ("b", 2, a)
        }
    }

    private func ask(_ stack: ContextStack) throws {
        let context = stack.newContext()
        #expect(try Nasty.count(in: context) { $0.mark == "b" && $0.number > 1 } == 1)
        #expect(try Nasty.count(in: context) { $0.partner.mark == "a" } == 1)
        let sorted = try Nasty.find(
            sortedBy: [.descending(\.mark), .ascending(\.number)], in: context)
        try #require(sorted.map(\.mark) == ["b", "a"])
        #expect(sorted[1].partners.map(\.mark) == ["b"] && sorted[0].partner === sorted[1])
        // Objects that are changed in memory are excluded from the store's rows.
        sorted[0].number = 7
        #expect(try Nasty.count(in: context) { $0.number < 7 && $0.partner == nil } == 1)
        #expect(sorted[0].changedValues() == ["number": .integer(7)])
        context.rollback()
        let id = sorted[0].objectID
        #expect(ManagedObjectID(id.description) == id)
        #expect(try Nasty.existing(id, in: context) === sorted[0])
        let snapshot = try sorted[0].snapshot
        let data = try JSONEncoder().encode(snapshot)
        #expect(try JSONDecoder().decode(Snapshot<Nasty>.self, from: data) == snapshot)
    }

    /// Checks that the error for a broken rule names the property.
    private func breakRule(_ stack: ContextStack, _ role: NameRole) throws {
        if role == .indexed { return }
        let context = stack.newContext()
        try Nasty.create(in: context).mark = "a"
        let error = #expect(throws: RecordStackError.self) { try waitedSave(context) }
        #expect(error?.code == .constraint)
        #expect(error?.property == Nasty.entityDescription.attributes[0].name)
    }

    // Names with slashes refer to other folders: to one that does not exist, or to those above.
    @Test(arguments: NastyNames.all.filter { $0 != "../a" && $0 != "/\u{301}" } + [".", ".."])
    func `a store's file has exactly the given name, or is refused`(_ name: String) throws {
        let folder = try TemporaryFolder("names")
        Nasty.description.withLock { $0 = Nasty.describe("Nasty", as: .entity) }
        let isLegal =
            !name.isEmpty && name.utf8.count < 250
            && !name.utf8.contains { [0, UInt8(ascii: "/")].contains($0) }
            && ![".", ".."].contains(name)
        let location = StoreLocation.file("\(folder.path)/" + name)
        guard isLegal else {
            let error = #expect(throws: RecordStackError.self) {
                try ContextStack(for: Nasty.self, at: location)
            }
            #expect(error?.code == .cannotOpen, "\(error?.message ?? "")")
            return
        }
        let stack = try ContextStack(for: Nasty.self, at: location)
        try fill(stack)
        try stack.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.map { Array($0.utf8) } == [Array(name.utf8)])
        let again = try ContextStack(for: Nasty.self, at: location)
        try ask(again)
        try again.close()
        #expect(try ContextStack.destroyStore(at: location))
    }

    @Test func `properties with all legal names can be in one entity`() throws {
        try #require(Crowd.names.count > 100)
        let test = try TestStack(for: Crowd.self, at: .temporaryFile)
        let slots = Crowd.names.indices
        try test.stack.saveWithBlockAndWait { context in
            let crowd = try Crowd.create(in: context)
            for slot in slots { crowd[slot] = Crowd.names[slot] }
        }
        let context = test.stack.newContext()
        for slot in slots {
            let name = Crowd.names[slot]
            #expect(try Crowd.findFirst(by: \Crowd[slot], name, in: context)?[slot] == name)
            #expect(try Crowd.count(in: context) { $0[dynamicMember: \Crowd[slot]] == "" } == 0)
        }
        let snapshot = try #require(try Crowd.snapshots(in: context).first)
        #expect(snapshot.storedValues.allSatisfy { .text($0) == $1 })
    }

    @Test func `columns named with dots and commas get different database indexes`() throws {
        // Without escaping, each of these pairs would be one index.
        Nasty.description.withLock {
            $0 = EntityDescription(
                name: "a.b", type: Nasty.self,
                properties: [
                    .attribute(
                        \Nasty.mark, "mark", .indexed, .stored(as: "c.RECORDSTACK_CASELESS")),
                    .attribute(\Nasty.number, "number", .indexed, .stored(as: "b.c,d"), default: 0),
                    .toOne(\Nasty.partner, "partner", .stored(as: "c"), inverse: \Nasty.partners),
                    .toMany(\Nasty.partners, "partners", to: Nasty.self),
                ])
        }
        let test = try TestStack(for: Nasty.self, at: .temporaryFile)
        try fill(test.stack)
        try ask(test.stack)
        let other = try ForeignProgram(path: #require(test.path))
        let indexes = try other.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql NOTNULL ORDER BY 1")
        #expect(
            indexes.map { $0[0] } == [
                "_a%2Eb.b%2Ec%2Cd", "_a%2Eb.c", "_a%2Eb.c%2ERECORDSTACK_CASELESS",
            ])
    }

    @Test func `two column names that Unicode considers equal are refused`() throws {
        for (first, second) in [("é", "e\u{301}"), ("Ä", "ä"), ("Mark", "mARK")] {
            Nasty.description.withLock {
                $0 = EntityDescription(
                    name: "Nasty", type: Nasty.self,
                    properties: [
                        .attribute(\Nasty.mark, "mark", .stored(as: first)),
                        .attribute(\Nasty.number, "number", .stored(as: second), default: 0),
                    ])
            }
            let error = #expect(throws: RecordStackError.self) { try TestStack(for: Nasty.self) }
            #expect(error?.code == .misuse && error?.property == "number")
            #expect(error?.message.contains("Give one of them another name") == true)
        }
    }

    @Test func `a column name spelled with other Unicode scalars is a model mismatch`() throws {
        let folder = try TemporaryFolder("names")
        let location = StoreLocation.file("\(folder.path)/test.sqlite")
        Nasty.description.withLock { $0 = Nasty.describe("é", as: .unique) }
        try ContextStack(for: Nasty.self, at: location).close()
        Nasty.description.withLock { $0 = Nasty.describe("e\u{301}", as: .unique) }
        let error = #expect(throws: RecordStackError.self) {
            try ContextStack(for: Nasty.self, at: location)
        }
        #expect(error?.code == .modelMismatch)
    }

    @Test func `extending a store throws if a column name's Unicode scalars differ`() throws {
        let folder = try TemporaryFolder("names")
        let location = StoreLocation.file("\(folder.path)/test.sqlite")
        func describe(_ name: String, more: [PropertyDescription]) {
            let mark = PropertyDescription.attribute(
                \Nasty.mark, "mark", .unique, .stored(as: name))
            Nasty.description.withLock {
                $0 = EntityDescription(name: "Nasty", type: Nasty.self, properties: [mark] + more)
            }
        }
        describe("é", more: [])
        try ContextStack(for: Nasty.self, at: location).close()
        let before = try folder.contents()
        let number = PropertyDescription.attribute(\Nasty.number, "number", default: 0)
        describe("e\u{301}", more: [number])
        let error = #expect(throws: RecordStackError.self) {
            try ContextStack(for: Nasty.self, at: location)
        }
        #expect(error?.code == .modelMismatch)
        #expect(error?.message.contains("Unicode scalars") == true, "\(error?.message ?? "")")
        #expect(try folder.contents() == before)
        describe("é", more: [number])
        try ContextStack(for: Nasty.self, at: location).close()
        #expect(try folder.contents() != before)
    }

    @Test(arguments: [1_998, 1_999])
    func `an entity can have at most 1,998 attributes`(_ count: Int) throws {
        Nasty.description.withLock {
            $0 = EntityDescription(
                name: "Wide", type: Nasty.self,
                properties: (0..<count).map {
                    .attribute(\Nasty.number, "n\($0)", default: 0)
                })
        }
        if count == 1_998 { return try TestStack(for: Nasty.self).stack.close() }
        let error = #expect(throws: RecordStackError.self) { try TestStack(for: Nasty.self) }
        #expect(error?.code == .misuse && error?.entity == "Wide")
        #expect(error?.message.contains("1999 attributes") == true)
        #expect(error?.message.contains("Codable") == true, "\(error?.message ?? "")")
    }
}
