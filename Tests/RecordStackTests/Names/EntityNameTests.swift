import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// Names that `@Entity("…")` sets.
@Suite("Entity names") struct EntityNameTests {
    @Test func `classes with one name can be entities with different names`() async throws {
        let test = try TestStack(for: Home.Address.self, Office.Address.self)
        try await test.stack.saveWithBlock { context in
            try Home.Address.create(in: context, street: "a")
            try Office.Address.create(in: context, street: "b", floor: 2)
        }
        let context = test.stack.newContext()
        #expect(try Home.Address.find(in: context).map(\.street) == ["a"])
        #expect(try Office.Address.find(in: context).map(\.street) == ["b"])
        #expect(Home.Address.entityDescription.name == "HomeAddress")
    }

    @Test func `@Entity accepts a name together with options and an identity`() async throws {
        #expect(Office.Address.entityDescription.name == "OfficeAddress")
        #expect(Office.Address.entityDescription.storedName == "offices")
        let test = try TestStack(for: Office.Address.self)
        try await test.stack.saveWithBlock { context in
            let report = try Office.Address.importJSON(
                Data(#"[{"street": "b", "floor": 1}, {"street": "b", "floor": 2}]"#.utf8),
                in: context)
            #expect(report.inserted == 1)
        }
        #expect(try Office.Address.one(in: test.stack.newContext()).floor == 2)
    }
}

enum Home {
    @Entity("HomeAddress") final class Address: ManagedObject {
        var street: String
    }
}

enum Office {
    @Entity("OfficeAddress", .indexed(\.floor), .stored(as: "offices"), identity: \.street)
    final class Address: ManagedObject {
        @Attribute(.unique) var street: String
        var floor: Int
    }
}
