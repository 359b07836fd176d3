import RecordStack
import RecordStackTesting
import Testing

/// A commit reaches the contexts of a tree at one moment, however long it takes to tell all contexts of it.
@MainActor @Suite("Deliveries") struct DeliveryTests {
    @Test func `a child that asks while its parent's save is delivered keeps what it has related`()
        async throws
    {
        let test = try TestStack(entities: [Letter.self, Satchel.self])
        let parent = test.stack.newContext(name: "parent")
        // The writer delivers each save to these contexts after the parent and before the child.
        let others = (0..<5_000).map { _ in test.stack.newContext() }
        let child = parent.newChild(name: "child")
        for round in 0..<20 {
            let satchel = try Satchel.create(in: parent, name: "satchel \(round)")
            let letter = try Letter.create(in: child, name: "letter \(round)")
            letter.satchel = try Satchel.findFirst(by: \.name, satchel.name, in: child)
            #expect(letter.satchel != nil)
            let save = Task { try await parent.save() }
            await Task.yield()
            var questions = 0
            while !parent.insertedObjects.isEmpty && questions < 100_000 {
                _ = try Letter.exists(in: child)
                questions += 1
            }
            _ = try await save.value
            #expect(letter.satchel?.name == satchel.name)
            #expect(satchel.letters.isEmpty)
        }
        try child.push()
        #expect(try Satchel.count(in: parent) { $0.letters.count == 1 } == 20)
        withExtendedLifetime(others) {}
    }
}
