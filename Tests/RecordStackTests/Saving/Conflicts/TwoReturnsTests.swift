import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Two contexts of a chain that re-insert the same row, which others have deleted.
@Suite("Two re-insertions of one row") struct TwoReturnsTests {
    /// A context, a child of it, and a grandchild. The two upper contexts each have a pushed
    /// re-insertion.
    private struct Returns {
        let pushed: Pushed
        /// The context whose re-insertion has the name “below”.
        let below: ManagedObjectContext

        /// - Parameter levels: the number of contexts between the two that re-insert the row.
        init(levels: Int = 0) async throws {
            pushed = try await Pushed()
            var middle = pushed.parent
            for _ in 0..<levels { middle = middle.newChild(name: "middle") }
            below = middle.newChild(name: "below")
            let form = below.newChild(name: "form")
            try Berth.existing(pushed.dispute.id, in: form).name = "below"
            pushed.berth.name = "above"
            try await pushed.dispute.there { berth, _ in try berth.delete() }
            try pushed.listen()
            try form.push(mergePolicy: .objectTrump)
            try pushed.child.push(mergePolicy: .objectTrump)
        }
    }

    @Test(arguments: ["storeTrump", "rollback"])
    func `a push that discards its re-insertion keeps the parent's re-insertion`(policy: String)
        async throws
    {
        let returns = try await Returns()
        try returns.below.push(mergePolicy: policy == "rollback" ? .rollback : .storeTrump)
        let parents = try Berth.existing(returns.pushed.dispute.id, in: returns.pushed.parent)
        #expect(parents.name == "above")
        try await returns.pushed.parent.save()
        #expect(try returns.pushed.dispute.stored(\.name) == "above")
    }

    @Test func `a push that keeps its re-insertion replaces the parent's re-insertion`()
        async throws
    {
        let returns = try await Returns()
        try returns.below.push(mergePolicy: .objectTrump)
        try await returns.pushed.parent.save()
        #expect(try returns.pushed.dispute.stored(\.name) == "below")
    }

    @Test(arguments: [0, 1])
    func `two re-insertions of one row conflict without a merge policy`(levels: Int) async throws {
        let returns = try await Returns(levels: levels)
        let error = #expect(throws: RecordStackError.self) { try returns.below.push() }
        #expect(error?.code == .conflict)
        #expect(error?.conflicts.first?.properties.map(\.name).contains("name") == true)
        #expect(returns.below.hasChanges)
    }
}
