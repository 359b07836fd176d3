import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// A stack for each test, and what is in it from the start.
@Suite struct TestStackTests {
    @Test func `a fresh stack is empty, and a context of a test without an actor works`()
        async throws
    {
        let stack = try TestStack(for: Member.self).stack
        let context = stack.newContext()
        #expect(try Member.count(in: context) == 0)
        try Member.create(in: context, email: "ann")
        try await context.save()
        #expect(try Member.count(in: stack.newContext()) == 1)
    }

    @MainActor
    @Test func `the default context works in a test of the main actor`() async throws {
        let test = try TestStack(for: Member.self) { try Member.create(in: $0, email: "ann") }
        let context = test.stack.defaultContext
        #expect(try Member.find(in: context).map(\.email) == ["ann"])
        try Member.create(in: context, email: "bob")
        try await context.save()
        #expect(try Member.count(in: test.stack.newContext()) == 2)
    }

    @Test func `a seed is in the store, in memory and in a file`() throws {
        for location in [TestStack.Location.memory, .temporaryFile] {
            let test = try TestStack(for: Member.self, Club.self, at: location) { context in
                let club = try Club.create(in: context, title: "A")
                for name in ["ann", "bob"] {
                    try Member.create(in: context, email: name, club: club)
                }
            }
            let context = test.stack.newContext()
            #expect(try Member.count(in: context) { $0.club.title == "A" } == 2)
            #expect((test.path == nil) == (location == .memory))
        }
    }

    @Test func `a temporary file is gone with the last that holds on to it`() throws {
        var test: TestStack? = try TestStack(for: Member.self, at: .temporaryFile)
        let path = try #require(test?.path)
        var context = test?.stack.newContext()
        #expect(FileManager.default.fileExists(atPath: path))
        test = nil
        #expect(try context.map { try Member.count(in: $0) } == 0)
        context = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a file can be closed and opened again while the test goes on`() throws {
        let test = try TestStack(for: Member.self, at: .temporaryFile) {
            try Factory.member.create(3, in: $0)
        }
        try test.stack.close()
        let path = try #require(test.path)
        let again = try ContextStack(for: Member.self, at: .file(path))
        #expect(try Member.count(in: again.newContext()) == 3)
    }

    @Test func `a list of entities does as well as their names`() throws {
        let entities: [ManagedObject.Type] = [Vehicle.self, Truck.self]
        let test = try TestStack(entities: entities) { try Truck.create(in: $0).plate = "A 1" }
        #expect(try Vehicle.count(in: test.stack.newContext()) == 1)
    }

    @Test func `a seed returns what its body does, and one that throws saves nothing`() throws {
        struct Stop: Error {}
        let test = try TestStack(for: Member.self)
        let id = try test.seed { try Member.create(in: $0, email: "ann").objectID }
        #expect(try Member.existing(id, in: test.stack.newContext()).email == "ann")
        #expect(throws: Stop.self) {
            try test.seed { context in
                try Member.create(in: context, email: "bob")
                throw Stop()
            }
        }
        #expect(try Member.count(in: test.stack.newContext()) == 1)
    }

    @Test func `a seed that breaks a rule says which, where the stack is made`() throws {
        let error = #expect(throws: RecordStackError.self) {
            try TestStack(for: Member.self) { _ = try Member.create(in: $0) }
        }
        #expect(error?.code == .validation)
        #expect(error?.failures.map(\.property) == ["email"])
    }
}

/// Seeds that are written as JSON.
@Suite struct JSONSeedTests {
    @Test func `JSON goes through the importer's mapping`() throws {
        let test = try TestStack(for: Member.self)
        let report = try test.seed(
            Member.self,
            json: #"""
                {"people": [
                    {"email": "ann", "full_name": "Ann", "age": 41},
                    {"contact": {"mail": "bob"}, "full_name": null}
                ]}
                """#, at: "people")
        #expect(report.inserted == 2)
        let context = test.stack.newContext()
        let people = try Member.find(sortedBy: .ascending(\.email), in: context)
        #expect(people.map(\.name) == ["Ann", ""])
        #expect(people.map(\.age) == [41, nil])
        #expect(try test.seed(Member.self, json: Data(#"{"email": "cat"}"#.utf8)).inserted == 1)
    }

    @Test func `a seed with a value that does not fit saves nothing and lists every problem`()
        throws
    {
        let test = try TestStack(for: Member.self)
        let error = #expect(throws: RecordStackError.self) {
            try test.seed(
                Member.self,
                json: #"[{"email": "ann"}, {"email": "bob", "age": "old"}, {"name": "Cat"}]"#)
        }
        #expect(error?.code == .importFailed)
        #expect(error?.entity == "Member" && error?.row == 1 && error?.property == "age")
        let message = error?.message ?? ""
        #expect(message.contains("Row 1, age") && message.contains("Row 2"), "\(message)")
        #expect(try Member.count(in: test.stack.newContext()) == 0)
    }

    @Test func `of very many problems the first twenty are listed`() throws {
        let test = try TestStack(for: Member.self)
        let rows = Array(repeating: "{}", count: 25).joined(separator: ",")
        let error = #expect(throws: RecordStackError.self) {
            try test.seed(Member.self, json: "[\(rows)]")
        }
        let lines = error?.message.split(separator: "\n") ?? []
        #expect(lines.count == 22)
        #expect(lines.last == "  and 5 more")
    }

    @Test func `JSON that is none is refused with its place`() throws {
        let test = try TestStack(for: Member.self)
        let error = #expect(throws: RecordStackError.self) {
            try test.seed(Member.self, json: #"[{"email": "ann",}]"#)
        }
        #expect(error?.code == .importFailed)
        let message = error?.message ?? ""
        #expect(message.hasPrefix("Member was not seeded, because the JSON does not fit: "))
        #expect(message.contains("line 1, column 18"), "\(message)")
        let nowhere = #expect(throws: RecordStackError.self) {
            try test.seed(Member.self, jsonFile: "Data/members.json", at: "people")
        }
        #expect(nowhere?.message.contains("Data/members.json") == true)
    }

    @Test func `a file is found from the folder of the test`() throws {
        let test = try TestStack(for: Member.self)
        #expect(
            try test.seed(Member.self, jsonFile: "Data/members.json", at: "members").inserted == 3)
        let error = #expect(throws: RecordStackError.self) {
            try test.seed(Member.self, jsonFile: "Data/nobody.json")
        }
        #expect(error?.code == .importFailed)
        #expect(error?.message.contains("RecordStackTestingTests/Data/nobody.json") == true)
    }
}
