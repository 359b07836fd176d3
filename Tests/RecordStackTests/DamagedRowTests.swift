import Foundation
import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// Rows that another program wrote with values that their attributes cannot have.
@Suite("Damaged rows") struct DamagedRowTests {
    private func damaged() async throws -> (TestStack, ManagedObjectID) {
        let test = try TestStack(for: Everything.self, at: .temporaryFile)
        let id = try await test.stack.saveWithBlock { context in
            try Everything.create(
                in: context, flag: true, number: 1, wide: 2, real: 3, text: "4", date: Date(),
                day: Date(), data: Data(), uuid: UUID()
            ).objectID
        }
        try ForeignProgram(path: #require(test.path)).run(
            "UPDATE Everything SET uuid = x'0102', _version = _version + 1")
        return (test, id)
    }

    private func expectCorrupt(_ error: RecordStackError?) {
        #expect(
            error?.code == .corrupt && error?.property == "uuid", "\(String(describing: error))")
    }

    @Test func `a find of a damaged row throws corrupt and names the property`() async throws {
        let context = try await damaged().0.stack.newContext()
        expectCorrupt(#expect(throws: RecordStackError.self) { try Everything.find(in: context) })
    }

    @Test func `snapshots of a damaged row throw corrupt and name the property`() async throws {
        let context = try await damaged().0.stack.newContext()
        expectCorrupt(
            #expect(throws: RecordStackError.self) { try Everything.snapshots(in: context) })
    }

    @Test(arguments: [0, -1])
    func `a find throws corrupt for a row whose key no object can have`(key: Int) async throws {
        let test = try TestStack(for: Team.self, at: .temporaryFile)
        try ForeignProgram(path: #require(test.path)).run(
            "INSERT INTO Team (_key, _version, title) VALUES (\(key), 1, 'x')")
        let error = #expect(throws: RecordStackError.self) {
            try Team.find(in: test.stack.newContext())
        }
        #expect(error?.code == .corrupt && error?.message.contains("\(key)") == true)
    }

    @Test func `a find throws corrupt for a held object whose row changed entity`() async throws {
        let test = try TestStack(for: Animal.self, Dog.self, at: .temporaryFile)
        let context = test.stack.newContext()
        let cat = try Animal.create(in: context, name: "cat")
        try await context.save()
        try ForeignProgram(path: #require(test.path)).run(
            "UPDATE Animal SET _entity = 'Dog', isTrained = 1")
        let error = #expect(throws: RecordStackError.self) { try Dog.find(in: context) }
        #expect(error?.code == .corrupt)
        #expect(throws: RecordStackError.self) { try Animal.find(in: context) }
        #expect(cat.name == "cat")
    }

    @Test
    func `a damaged value reads as a placeholder, and its error is thrown once`() async throws {
        let (test, id) = try await damaged()
        let context = test.stack.newContext()
        let object = try #require(try context.object(id) as? Everything)
        #expect(object.uuid == .placeholder)
        expectCorrupt(
            #expect(throws: RecordStackError.self) { try Everything.count(in: context) })
        #expect(try Everything.count(in: context) == 1)
    }
}
