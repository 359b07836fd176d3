import RecordStack
import RecordStackTesting
import Testing

/// An entity whose properties are named like variables in the code that `@Entity` generates, like
/// Swift's keywords, or like SQLite's.
@Entity private final class Labelled: ManagedObject {
    @Attribute var context: String = ""
    @Attribute var object: Int = 0
    @Attribute var row: Int = 0
    @Attribute var seed: Int = 0
    @Attribute var slot: Int?
    @Attribute var slots: Int = 0
    @Attribute var writer: Int = 0
    @Attribute var root: Int = 0
    @Attribute var own: Int = 0
    @Attribute var newValue: Int = 0
    @Attribute var value: Int = 0
    @Attribute var type: String = ""
    @Attribute var `in`: Int = 0
    @Attribute var `default`: Int?
    @Attribute var `switch`: Int = 0
    @Attribute var `where`: Int = 0
    @Attribute var `two words`: Int = 0
    @Attribute var `1st`: Int?
    @Attribute var rowid: Int = 0
    @Attribute var name: String = ""
    @Attribute var id: Int = 0
    @Attribute var state: Int = 0
    @Attribute var version: Int = 0
    @Attribute var key: Int = 0
    @Attribute var entity: String = ""
    @Attribute var count: Int = 0
    @Attribute var hash: Int = 0
    @Attribute var model: Int = 0
}

@Suite("Property names") struct PropertyNameTests {
    @Test func `properties can have the names of variables in generated code`() async throws {
        let test = try TestStack(for: Labelled.self)
        let context = test.stack.newContext()
        let made = try Labelled.create(
            in: context, context: "c", object: 1, row: 2, seed: 3, slot: 4, slots: 5, writer: 6,
            root: 7, own: 8, newValue: 9, value: 10, type: "t", in: 11, default: 12, switch: 13,
            where: 14, `two words`: 15, `1st`: 16, rowid: 17, name: "n", hash: 18)
        try await context.save()
        made.object = 20
        made.`two words` = 21
        try await context.save()
        let other = test.stack.newContext()
        let found = try Labelled.find(sortedBy: .ascending(\.rowid), in: other) {
            $0.context == "c" && $0.object == 20 && $0.`two words` == 21 && $0.rowid == 17
                && $0.`default` == 12 && $0.`1st` == 16 && $0.count == 0
        }
        #expect(found.map(\.newValue) == [9] && found.map(\.in) == [11])
        #expect(found.map(\.where) == [14] && found.map(\.own) == [8])
        #expect(try found.first?.snapshot.context == "c")
        #expect(found.first?.objectID == made.objectID)
    }
}
