import RecordStack
import RecordStackTesting
import Testing

@Suite struct StoreAssignmentTests {
    private func refusal(
        _ entities: [ManagedObject.Type], _ volatile: [ManagedObject.Type]
    ) throws -> String {
        let error = #expect(throws: RecordStackError.self) {
            _ = try ManagedObjectModel(entities: entities, inMemory: volatile)
        }
        #expect(error?.code == .misuse)
        return error?.message ?? ""
    }

    @Test func `a relationship from one store to another is refused`() throws {
        let text = try refusal([StoredBook.self], [StrayDraft.self])
        #expect(text.contains("StrayDraft.book relates objects of two stores"))
        #expect(text.contains("StrayDraft is kept in memory, StoredBook in the store"))
        // What is not named itself goes where it is referred to.
        let together = try ManagedObjectModel(entities: [], inMemory: [StrayDraft.self])
        #expect(together.entities.map(\.name) == ["StrayDraft", "StoredBook"])
        #expect(
            try refusal([DraftedNote.self], [DraftedTag.self]).contains("objects of two stores"))
        let model = try ManagedObjectModel(entities: [StrayDraft.self], inMemory: [])
        #expect(model.entities.map(\.name) == ["StrayDraft", "StoredBook"])
    }

    @Test func `an entity is in one of the stores`() throws {
        let text = try refusal([StoredBook.self], [StoredBook.self])
        #expect(text.contains("StoredBook is named for the store and for memory"))
    }

    @Test func `what shares a table is kept in one place`() throws {
        let text = try refusal([Animal.self], [Dog.self])
        #expect(text.contains("Animal and Dog share a table"))
        let model = try ManagedObjectModel(entities: [StoredBook.self], inMemory: [Dog.self])
        #expect(model.entities.contains { $0.name == "Animal" })
    }
}
