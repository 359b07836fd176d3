import Foundation
import RecordStack
import RecordStackTesting
import Testing

@Suite("Relationships in predicates") struct PredicateRelationshipTests {
    @Test func `predicates can follow to-one relationships`() async throws {
        let all = try await Visitors()
        all.expect(#Predicate { $0.lodge?.title == "A" }, "ann cid")
        all.expect(#Predicate { $0.lodge?.title != "A" }, "bob dan eve")
        all.expect(#Predicate { $0.lodge.flatMap { $0.title } == "B" }, "dan eve")
        all.expect(#Predicate { $0.lodge?.rooms == 4 }, "ann cid")
        all.expect(#Predicate { $0.lodge?.rooms == nil }, "bob dan eve")
        all.expect(#Predicate { $0.lodge?.owner?.name == "ann" }, "ann cid")
        all.expect(#Predicate { $0.lodge?.owner?.age ?? 0 > 20 }, "ann cid")
        all.expect(#Predicate { ($0.lodge?.title ?? "none") == "none" }, "bob")
        all.expect(
            #Predicate { visitor in
                visitor.lodge.flatMap { $0.owner }.flatMap { $0.name == visitor.name } == true
            }, "ann")
        all.expect(#Predicate { $0.lodge?.title.contains("A") == true }, "ann cid")
        all.expect(
            #Predicate { if let lodge = $0.lodge { lodge.title == "B" } else { true } },
            "bob dan eve")
        all.expect(#Predicate { $0.lodge!.title == "A" }, "ann cid", asFoundation: false)
    }

    /// Each store has its own IDs, so each context needs its own predicates.
    @Test func `predicates can compare objects by their IDs`() async throws {
        let all = try await Visitors()
        for context in [all.stored, all.pending] {
            let lodge = try #require(try Lodge.findFirst(by: \.title, "A", in: context)).objectID
            let ids = try Visitor.find(in: context) { $0.visits >= 3 }.map(\.objectID)
            let (maybe, none): (ManagedObjectID?, ManagedObjectID?) = (lodge, nil)
            let (some, ann): ([ManagedObjectID?], _) = ([lodge, nil], ids[0])
            func check(_ predicate: Predicate<Visitor>, _ expected: String) throws {
                let found = try Visitor.find(matching: Filter(predicate), in: context)
                #expect(found.map(\.name).joined(separator: " ") == expected)
                let evaluated = try Visitor.find(in: context).filter { try predicate.evaluate($0) }
                #expect(found.map(\.name) == evaluated.map(\.name))
            }
            try check(#Predicate { $0.lodge?.objectID == lodge }, "ann cid")
            try check(#Predicate { $0.lodge?.objectID == maybe }, "ann cid")
            try check(#Predicate { lodge != $0.lodge?.objectID }, "bob dan eve")
            try check(#Predicate { $0.lodge?.objectID == nil }, "bob")
            try check(#Predicate { $0.lodge?.objectID == none }, "bob")
            try check(#Predicate { $0.lodge?.objectID != nil }, "ann cid dan eve")
            try check(#Predicate { _ in lodge == lodge && maybe != none }, "ann bob cid dan eve")
            try check(#Predicate { ids.contains($0.objectID) }, "ann cid dan")
            try check(#Predicate { some.contains($0.lodge.flatMap { $0.objectID }) }, "ann bob cid")
            try check(
                #Predicate { one in
                    one.lodge.flatMap { $0.owner }.flatMap { $0.objectID == one.objectID } ?? false
                }, "ann")
            try check(#Predicate { $0.lodge?.objectID == $0.lodge?.owner?.objectID }, "bob")
            try check(
                #Predicate { $0.lodge?.guests.contains { $0.objectID == ann } == true }, "ann cid")
        }
    }

    @Test func `predicates can count, search and filter members`() async throws {
        let all = try await Visitors()
        all.expect(#Predicate { $0.lodges.count == 2 }, "ann")
        all.expect(#Predicate { $0.lodges.isEmpty }, "bob cid dan eve")
        all.expect(#Predicate { $0.lodge?.guests.count == 2 }, "ann cid dan eve")
        all.expect(#Predicate { $0.lodge?.guests.count == nil }, "bob")
        all.expect(#Predicate { $0.lodge?.guests.isEmpty != false }, "bob")
        all.expect(#Predicate { $0.lodges.contains { $0.title == "C" } }, "ann")
        all.expect(#Predicate { !$0.lodges.contains { $0.rooms == nil } }, "ann bob cid dan eve")
        all.expect(#Predicate { $0.lodges.allSatisfy { $0.title == "C" } }, "bob cid dan eve")
        all.expect(#Predicate { $0.lodge?.guests.contains { $0.age == 17 } ?? true }, "ann bob cid")
        all.expect(
            #Predicate { $0.lodge?.guests.filter { $0.age == 30 }.count == 1 }, "ann cid dan eve")
        all.expect(#Predicate { $0.lodges.filter { $0.rooms == 9 }.isEmpty }, "ann bob cid dan eve")
        all.expect(
            #Predicate { $0.lodges.filter { $0.rooms == 4 }.contains { $0.title == "A" } }, "ann")
    }

    @Test func `a closure in a predicate can use the objects of outer closures`() async throws {
        let all = try await Visitors()
        all.expect(
            #Predicate { one in
                one.lodge.flatMap { $0.guests.contains { $0.visits > one.visits } } == true
            }, "ann eve")
        all.expect(
            #Predicate { one in
                one.lodge.flatMap { lodge in
                    lodge.guests.allSatisfy { other in
                        other.lodges.contains { $0.title == lodge.title }
                            || other.visits >= one.visits
                    }
                } == true
            }, "ann cid eve")
        all.expect(
            #Predicate { one in
                one.lodges.filter { lodge in lodge.guests.contains { $0.name == one.name } }.count
                    == 1
            }, "ann")
    }

    @Test func `predicates can use inherited properties`() async throws {
        let test = try TestStack(for: Visitor.self, Regular.self, Lodge.self)
        let context = test.stack.newContext()
        let regular = try context.create(Regular.self)
        (regular.name, regular.since) = ("ann", 1_999)
        let id = regular.objectID
        let found = try Regular.find(
            matching: Filter(
                #Predicate<Regular> { $0.name == "ann" && $0.since < 2_000 && $0.objectID == id }),
            in: context)
        #expect(found.count == 1 && found.first === regular)
        #expect(
            try Regular.count(
                matching: Filter(#Predicate<Regular> { ($0 as Visitor).name == "ann" }), in: context
            )
                == 1)
    }
}
