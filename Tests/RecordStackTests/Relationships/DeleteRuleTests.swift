import RecordStack
import RecordStackTesting
import Testing

@Entity final class Shop: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .cascade) var shelves: ToMany<Shelf>
    @Relationship(deleteRule: .deny) var orders: ToMany<Order>
    @Relationship(deleteRule: .nullify) var guests: ToMany<Guest>
    @Relationship(deleteRule: .noAction) var leases: ToMany<Lease>
}

@Entity final class Shelf: ManagedObject {
    @Attribute var number: Int = 0
    @Relationship(inverse: \Shop.shelves) var shop: Shop?
    @Relationship(deleteRule: .cascade) var goods: OrderedToMany<Good>
    @Relationship(inverse: \Shelf.below) var above: Shelf?
    @Relationship(deleteRule: .cascade) var below: ToMany<Shelf>
}

@Entity final class Good: ManagedObject {
    @Attribute var name: String = ""
    @Relationship(inverse: \Shelf.goods) var shelf: Shelf?
    /// A many-to-many relationship in which a deleted object takes its tags along.
    @Relationship(deleteRule: .cascade, inverse: \Tag2.goods) var tags: ToMany<Tag2>
}

@Entity final class Tag2: ManagedObject {
    @Attribute var text: String = ""
    @Relationship(deleteRule: .nullify) var goods: ToMany<Good>
}

@Entity final class Order: ManagedObject {
    @Relationship(inverse: \Shop.orders) var shop: Shop?
    /// A guest that is deleted with the order.
    @Relationship(deleteRule: .cascade) var guest: Guest?
}

@Entity final class Guest: ManagedObject {
    @Attribute var name: String = ""
    @Relationship(inverse: \Shop.guests) var shop: Shop?
}

@Entity final class Lease: ManagedObject {
    @Relationship(inverse: \Shop.leases) var shop: Shop?
}

@Suite("Delete rules") struct DeleteRuleTests {
    private func makeStack() throws -> TestStack {
        try TestStack(
            for: Shop.self, Shelf.self, Good.self, Tag2.self, Order.self, Guest.self, Lease.self)
    }

    @Test func `a cascade deletes related objects at every level`() async throws {
        let test = try makeStack()
        let context = test.stack.newContext()
        let shop = try Shop.create(in: context, name: "A")
        for number in 0..<3 {
            let shelf = try Shelf.create(in: context)
            shelf.number = number
            shelf.shop = shop
            for _ in 0..<4 { shelf.goods.append(try Good.create(in: context)) }
        }
        try await context.save()
        let kept = try Shelf.create(in: context)
        let plan = try context.deletionPlan(for: shop)
        #expect(plan.deletedIDs.count == 16 && plan.nullifications.isEmpty && !plan.isDenied)
        #expect(plan.deletedIDs.first == shop.objectID && context.deletedObjects.isEmpty)
        try shop.delete()
        #expect(Set(context.deletedObjects.map(\.objectID)) == Set(plan.deletedIDs))
        #expect(try Shelf.find(in: context).map(\.objectID) == [kept.objectID])
        #expect(try Good.count(in: context) == 0)
        context.rollback()
        #expect(shop.shelves.count == 3 && Array(shop.shelves).allSatisfy { $0.goods.count == 4 })
        try shop.delete()
        try await context.save()
        let other = test.stack.newContext()
        #expect(try Shop.count(in: other) == 0 && Good.count(in: other) == 0)
        #expect(try await test.stack.integrityCheck().isEmpty)
    }

    @Test func `a cascade deletes rows without loading their values`() async throws {
        let test = try makeStack()
        let context = test.stack.newContext()
        let shop = try Shop.create(in: context, name: "A")
        for _ in 0..<10 {
            let shelf = try Shelf.create(in: context)
            shelf.shop = shop
            for _ in 0..<10 { shelf.goods.append(try Good.create(in: context)) }
        }
        try await context.save()
        let other = test.stack.newContext()
        let there = try #require(try Shop.findFirst(in: other))
        let before = test.stack.storeStatistics.rowsRead
        let statements = try test.recorder.statements { try there.delete() }
        #expect(!statements.contains { $0.contains("\"name\"") && $0.contains("\"Good\"") })
        #expect(statements.count < 30, "\(statements.count)")
        // The deletion reads the key and the version of each of the 110 rows.
        #expect(test.stack.storeStatistics.rowsRead - before <= 130)
        #expect(other.deletedObjects.filter(\.isFault).count == 110)
        try await other.save()
        #expect(try Good.count(in: context) == 0)
    }

    @Test func `a deny rule names the blocking objects and changes nothing`() async throws {
        let test = try makeStack()
        let context = test.stack.newContext()
        let shop = try Shop.create(in: context, name: "A")
        let shelf = try Shelf.create(in: context)
        shelf.shop = shop
        let order = try Order.create(in: context)
        order.shop = shop
        try await context.save()
        let error = #expect(throws: RecordStackError.self) { try shop.delete() }
        #expect(error?.code == .deletionDenied && error?.blockers == [order.objectID])
        #expect(error?.property == "orders" && error?.message.contains("orders") == true)
        #expect(!context.hasChanges && shelf.shop === shop && shop.objectState == .persistent)
        // An object that is deleted as well does not block.
        try context.delete([shop, order])
        try await context.save()
        #expect(try Shop.count(in: context) == 0 && Shelf.count(in: context) == 0)
    }

    @Test func `nullify clears references, and a to-one relationship can cascade`() async throws {
        let test = try makeStack()
        let context = test.stack.newContext()
        let shop = try Shop.create(in: context, name: "A")
        let guest = try Guest.create(in: context)
        guest.shop = shop
        let order = try Order.create(in: context)
        order.guest = guest
        try await context.save()
        let plan = try context.deletionPlan(for: shop)
        #expect(plan.nullifications.map(\.objectID) == [guest.objectID])
        #expect(plan.nullifications.first?.property == "shop")
        try shop.delete()
        #expect(guest.shop == nil && guest.hasChanges)
        try order.delete()
        #expect(guest.objectState == .deleted)
        try await context.save()
        #expect(try Guest.count(in: context) == 0)
    }

    @Test
    func `with noAction, a save throws until the program changes the reference`() async throws {
        let test = try makeStack()
        let context = test.stack.newContext()
        let shop = try Shop.create(in: context, name: "A")
        let lease = try Lease.create(in: context)
        lease.shop = shop
        try await context.save()
        try shop.delete()
        #expect(lease.shop == nil && !lease.hasChanges)
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.code == .constraint && error?.property == "shop")
        #expect(error?.objectID == lease.objectID && error?.entity == "Lease")
        lease.shop = try Shop.create(in: context, name: "B")
        try await context.save()
        #expect(lease.shop?.name == "B")
    }

    @Test func `a cascade deletes every object in cycles and diamonds`() async throws {
        let test = try makeStack()
        let context = test.stack.newContext()
        let shelves = try (0..<4).map { _ in try Shelf.create(in: context) }
        shelves[1].above = shelves[0]
        shelves[2].above = shelves[1]
        shelves[0].above = shelves[2]
        let goods = try (0..<2).map { _ in try Good.create(in: context) }
        let tags = try (0..<2).map { _ in try Tag2.create(in: context) }
        goods.forEach { $0.tags.formUnion(tags) }
        shelves[0].goods.append(goods[0])
        try await context.save()
        try shelves[1].delete()
        #expect(context.deletedObjects.count == 3 + 1 + 2)
        #expect(goods[1].tags.isEmpty && shelves[3].objectState == .persistent)
        try await context.save()
        #expect(try Shelf.count(in: context) == 1 && Tag2.count(in: context) == 0)
        #expect(try await test.stack.integrityCheck().isEmpty)
    }

    @Test
    func `delete rules apply to objects that another context relates meanwhile`() async throws {
        let test = try makeStack()
        let context = test.stack.newContext()
        let shop = try Shop.create(in: context, name: "A")
        try await context.save()
        try shop.delete()
        try await test.stack.saveWithBlock { other in
            let there = try #require(try Shop.findFirst(in: other))
            try Shelf.create(in: other).shop = there
            try Guest.create(in: other).shop = there
        }
        try await context.save()
        #expect(try Shelf.count(in: context) == 0 && Guest.findFirst(in: context)?.shop == nil)
        #expect(try Guest.count(in: context) == 1)
    }
}
