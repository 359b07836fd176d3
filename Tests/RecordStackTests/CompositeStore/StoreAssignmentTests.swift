import RecordStack
import RecordStackTesting
import Testing

@Suite("Entities assigned to stores") struct StoreAssignmentTests {
    private func refusal(
        _ entities: [ManagedObject.Type], _ volatile: [ManagedObject.Type]
    ) throws -> String {
        let error = #expect(throws: RecordStackError.self) {
            _ = try ManagedObjectModel(entities: entities, inMemory: volatile)
        }
        #expect(error?.code == .misuse)
        return error?.message ?? ""
    }

    @Test func `a stack refuses a relationship between entities in file and memory`() throws {
        let text = try refusal([StoredBook.self], [StrayDraft.self])
        #expect(text.contains("StrayDraft.book relates objects of two stores"))
        #expect(text.contains("StrayDraft is kept in memory, StoredBook in the store"))
        // An entity that is not passed goes to the store of the entity that refers to it.
        let together = try ManagedObjectModel(entities: [], inMemory: [StrayDraft.self])
        #expect(together.entities.map(\.name) == ["StrayDraft", "StoredBook"])
        #expect(
            try refusal([DraftedNote.self], [DraftedTag.self]).contains("objects of two stores"))
        let model = try ManagedObjectModel(entities: [StrayDraft.self], inMemory: [])
        #expect(model.entities.map(\.name) == ["StrayDraft", "StoredBook"])
    }

    @Test func `a stack refuses an entity that is passed for both file and memory`() throws {
        let text = try refusal([StoredBook.self], [StoredBook.self])
        #expect(text.contains("StoredBook is named for the store and for memory"))
    }

    @Test func `a stack refuses to split entities that share a table between stores`() throws {
        let text = try refusal([Animal.self], [Dog.self])
        #expect(text.contains("Animal and Dog share a table"))
        let model = try ManagedObjectModel(entities: [StoredBook.self], inMemory: [Dog.self])
        #expect(model.entities.contains { $0.name == "Animal" })
    }
}
