import Foundation
import RecordStack
import RecordStackTesting
import Testing

@Suite("Verbs with predicates") struct PredicateVerbTests {
    @Test func `every call with a condition accepts a predicate`() async throws {
        let all = try await Visitors()
        let context = all.stored
        let members = try Filter(#Predicate<Visitor> { $0.isMember })
        let found = try Visitor.find(
            matching: members, sortedBy: .descending(\.visits), limit: 1, offset: 1, in: context)
        #expect(found.map(\.name) == ["cid"])
        let first = try Visitor.findFirst(
            matching: members, sortedBy: .descending(\.name), in: context)
        #expect(first?.name == "dan")
        #expect(try Visitor.count(matching: members, in: context) == 3)
        #expect(try Visitor.exists(matching: members, in: context))
        #expect(try !Visitor.exists(matching: Filter(Predicate<Visitor>.false), in: context))
        let page = try Visitor.page(2, size: 2, matching: members, in: context)
        #expect(page.items.map(\.name) == ["dan"] && page.total == 3)
        let snapshots = try Visitor.snapshots(
            matching: members, sortedBy: .ascending(\.age), limit: 1, in: context)
        #expect(snapshots.map(\.name) == ["cid"])
        #expect(
            try Visitor.one(matching: Filter(#Predicate<Visitor> { $0.name == "ann" }), in: context)
                .name == "ann")
        let error = #expect(throws: RecordStackError.self) {
            try Visitor.one(matching: members, in: context)
        }
        #expect(error?.code == .notUnique)
        let request = try Visitor.where(members).where(
            Filter(#Predicate<Visitor> { $0.visits < 100 })
        )
        .where { $0.age > 20 }
        #expect(try context.find(request).map(\.name) == ["ann"])
        #expect(try Visitor.delete(matching: members, in: context) == 3)
        #expect(try Visitor.count(in: context) == 2)
    }

    @MainActor
    @Test func `every entity call without a context accepts a predicate as filter`() throws {
        let test = try TestStack(for: Visitor.self, Regular.self, Lodge.self)
        let named = try Filter(#Predicate<Visitor> { $0.name == "ann" })
        #expect(throws: RecordStackError.self) { try Visitor.find(matching: named) }
        try ContextStack.withDefault(test.stack) {
            try test.stack.defaultContext.create(Visitor.self).name = "ann"
            #expect(
                try Visitor.find(matching: named, sortedBy: .ascending(\.age), limit: 2).count == 1)
            #expect(try Visitor.findFirst(matching: named)?.name == "ann")
            #expect(try Visitor.count(matching: named) == 1)
            #expect(try Visitor.exists(matching: named))
            #expect(try Visitor.page(1, size: 10, matching: named).total == 1)
        }
    }

    @Test func `a predicate and an equivalent closure give equal requests`() throws {
        #expect(
            try Visitor.where(
                Filter(#Predicate<Visitor> { $0.visits >= 3 && $0.lodge?.title == "A" }))
                == Visitor.where { $0.visits >= 3 && $0.lodge.title == "A" })
        #expect(
            try Visitor.where(
                Filter(#Predicate<Visitor> { $0.name.contains("a") || $0.lodges.count > 1 }))
                == Visitor.where { $0.name.contains("a") || $0.lodges.count > 1 })
        #expect(
            try Visitor.where(Filter(#Predicate<Visitor> { !$0.lodges.contains { $0.rooms == 4 } }))
                == Visitor.where { !$0.lodges.any { $0.rooms == 4 } })
        #expect(try Visitor.where(Filter(Predicate<Visitor>.true)) == FetchRequest(filter: .all))
    }
}
