import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// Stacks for single tests, and their seeds.
@Suite("Test stacks") struct TestStackTests {
    @Test func `a new test stack is empty and can save outside of any actor`() async throws {
        let stack = try TestStack(for: Member.self).stack
        let context = stack.newContext()
        #expect(try Member.count(in: context) == 0)
        try Member.create(in: context, email: "ann")
        try await context.save()
        #expect(try Member.count(in: stack.newContext()) == 1)
    }

    @MainActor
    @Test func `a test stack's default context can read and save on the main actor`() async throws {
        let test = try TestStack(for: Member.self) { try Member.create(in: $0, email: "ann") }
        let context = test.stack.defaultContext
        #expect(try Member.find(in: context).map(\.email) == ["ann"])
        try Member.create(in: context, email: "bob")
        try await context.save()
        #expect(try Member.count(in: test.stack.newContext()) == 2)
    }

    @Test func `a test stack's initial data is in its store, in memory or in a file`() throws {
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

    @Test func `a test stack's temporary store is deleted with its last reference`() throws {
        var test: TestStack? = try TestStack(for: Member.self, at: .temporaryFile)
        let path = try #require(test?.path)
        var context = test?.stack.newContext()
        #expect(FileManager.default.fileExists(atPath: path))
        test = nil
        #expect(try context.map { try Member.count(in: $0) } == 0)
        context = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a test stack's temporary store can be closed and opened again`() throws {
        let test = try TestStack(for: Member.self, at: .temporaryFile) {
            try Factory.member.create(3, in: $0)
        }
        try test.stack.close()
        let path = try #require(test.path)
        let again = try ContextStack(for: Member.self, at: .file(path))
        #expect(try Member.count(in: again.newContext()) == 3)
    }

    @Test func `a test stack accepts an array of entities`() throws {
        let entities: [ManagedObject.Type] = [Vehicle.self, Truck.self]
        let test = try TestStack(entities: entities) { try Truck.create(in: $0).plate = "A 1" }
        #expect(try Vehicle.count(in: test.stack.newContext()) == 1)
    }

    @Test func `TestStack seed returns its body's value, or saves nothing if it throws`() throws {
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

    @Test func `creating a test stack throws if its initial data breaks a rule`() throws {
        let error = #expect(throws: RecordStackError.self) {
            try TestStack(for: Member.self) { _ = try Member.create(in: $0) }
        }
        #expect(error?.code == .validation)
        #expect(error?.failures.map(\.property) == ["email"])
    }
}

/// Seeds from JSON.
@Suite("JSON seeds") struct JSONSeedTests {
    @Test func `seed(_:json:) imports with the entity's declared mapping`() throws {
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

    @Test func `seed(_:json:) with wrong values saves nothing and lists all problems`() throws {
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

    @Test func `seed(_:json:) lists the first twenty of many problems`() throws {
        let test = try TestStack(for: Member.self)
        let rows = Array(repeating: "{}", count: 25).joined(separator: ",")
        let error = #expect(throws: RecordStackError.self) {
            try test.seed(Member.self, json: "[\(rows)]")
        }
        let lines = error?.message.split(separator: "\n") ?? []
        #expect(lines.count == 22)
        #expect(lines.last == "  and 5 more")
    }

    @Test func `the error of seed(_:json:) for invalid JSON has its line and column`() throws {
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

    @Test func `seed(_:jsonFile:) finds its file relative to the test's folder`() throws {
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
