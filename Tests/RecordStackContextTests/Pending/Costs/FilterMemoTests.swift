import RecordStack
import RecordStackTesting
import Testing

@Suite("Memos of filters") struct FilterMemoTests {
    @Test func `an invalid MATCHES pattern in a property makes no other filter throw`() throws {
        let test = try TestStack(entities: QuestionScript.entities)
        let context = test.stack.newContext()
        let exhibits = try (1...5).map { number in
            let exhibit = try Exhibit.create(in: context, number: number)
            exhibit.code = "a"
            exhibit.note = "a+"
            return exhibit
        }
        let matching = Exhibit.where(.format("code MATCHES note"))
        #expect(try context.count(matching) == 5)
        // This is not a valid pattern.
        exhibits[0].note = "("
        #expect(try context.count(Exhibit.where { $0.shelf >= 0 }) == 5)
        #expect(throws: RecordStackError.self) { try context.count(matching) }
        exhibits[0].note = "b"
        #expect(try context.count(matching) == 4)
        #expect(try context.count(Exhibit.where { $0.note == "b" }) == 1)
    }
}
