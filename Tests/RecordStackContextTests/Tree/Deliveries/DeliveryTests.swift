import RecordStack
import RecordStackTesting
import Testing

/// The delivery of a commit, which must reach the contexts of a tree at the same moment, even if
/// the stack has many contexts.
@MainActor @Suite("Delivery of commits") struct DeliveryTests {
    @Test func `a child's to-one keeps referring to an object that the parent saves`() async throws
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

    enum Gap: CaseIterable {
        /// A batch update of more rows than a commit lists.
        case unlistedRows
        /// More saves than a stack keeps for a context that does not read them.
        case manySaves
    }

    @Test(arguments: Gap.allCases)
    func `a child keeps its edits if the commit log cannot hold all saves`(gap: Gap) async throws {
        let test = try TestStack(entities: [Letter.self, Satchel.self])
        try await test.stack.saveWithBlock { context in
            for number in 0..<(gap == .unlistedRows ? 20_001 : 1) {
                try Letter.create(in: context, name: "\(number)")
            }
        }
        let parent = test.stack.newContext(name: "parent")
        let child = parent.newChild(name: "child")
        let satchel = try Satchel.create(in: parent, name: "satchel")
        let letter = try Letter.create(in: child, name: "new")
        letter.satchel = try Satchel.findFirst(by: \.name, "satchel", in: child)
        let held = try #require(try Letter.findFirst(by: \.name, "0", in: child))
        try Letter.create(in: parent, name: "edited")
        let edited = try #require(try Letter.findFirst(by: \.name, "edited", in: child))
        edited.text = "child's"
        try await parent.save()
        switch gap {
        case .unlistedRows:
            try await test.stack.update(Letter.all) { $0.stamp.set(to: 2_100) }
        case .manySaves:
            for number in 1...2_100 {
                try await test.stack.saveWithBlock {
                    try Letter.findFirst(by: \.name, "0", in: $0)?.stamp = number
                }
            }
        }
        #expect(try Letter.exists(in: child))
        #expect(letter.satchel?.name == "satchel" && held.stamp == 2_100)
        #expect(edited.text == "child's" && edited.name == "edited")
        try child.push()
        #expect(try Satchel.count(in: parent) { $0.letters.count == 1 } == 1)
        #expect(satchel.letters.count == 1)
        try await parent.save()
        let stored = test.stack.newContext()
        #expect(try Letter.findFirst(by: \.name, "edited", in: stored)?.text == "child's")
        #expect(try Letter.findFirst(by: \.name, "new", in: stored)?.satchel?.name == "satchel")
    }
}
