import RecordStack
import RecordStackTesting
import Testing

/// Equality of objects, and their identity in lists.
@Suite("Identity of objects") struct IdentityTests {
    @Test func `objects are equal and hashed by instance, not by object ID`() throws {
        let test = try TestStack(for: Barge.self, Wharf.self)
        let (context, other) = (test.stack.newContext(), test.stack.newContext())
        let wharf = try Wharf.create(in: context, name: "w")
        let barges = try (1...3).map { try Barge.create(in: context, name: "b", tons: $0) }
        barges[0].home = wharf
        try context.saveAndWait()
        let found = try Barge.find(sortedBy: .ascending(\.tons), in: context)
        #expect(found == barges && Set(found + barges).count == 3)
        #expect(barges.contains(found[1]) && barges.firstIndex(of: found[2]) == 2)
        let byWharf = Dictionary(grouping: barges, by: \.home)
        #expect(byWharf[wharf] == [barges[0]] && byWharf[nil]?.count == 2)
        let elsewhere = try barges[0].in(other)
        #expect(elsewhere != barges[0] && elsewhere.objectID == barges[0].objectID)
        #expect(barges[0].home == wharf && wharf.barges.contains(barges[0]))
    }

    @Test func `an object is identified by its object ID in every context`() throws {
        func identities<Item: Identifiable>(_ items: [Item]) -> [Item.ID] { items.map(\.id) }
        let test = try TestStack(for: Barge.self, Wharf.self, Numbered.self)
        let (context, other) = (test.stack.newContext(), test.stack.newContext())
        let barge = try Barge.create(in: context, name: "b")
        try context.saveAndWait()
        #expect(barge.id == barge.objectID)
        #expect(try identities([barge]) == identities(Barge.find(in: other)))
        let numbered = try Numbered.create(in: context, id: 7, isDeleted: true)
        #expect(numbered.id == 7 && identities([numbered]) == [numbered.objectID])
        #expect(try Numbered.find(in: context) { $0.id == 7 && $0.isDeleted } == [numbered])
        #expect(numbered.isDeleted)
    }
}

/// An entity that declares properties under names that every object has.
@Entity final class Numbered: ManagedObject {
    var id: Int
    var isDeleted: Bool = false
}
