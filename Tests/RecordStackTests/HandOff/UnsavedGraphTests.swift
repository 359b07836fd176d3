import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// New objects that move from one context to another with everything new that they are related to.
@Suite("Moving unsaved objects") struct UnsavedGraphTests {
    private let test: TestStack
    private let context: ManagedObjectContext
    private let other: ManagedObjectContext
    private let shop: Outlet
    private let stamp: CartonStamp

    init() throws {
        test = try TestStack(
            for: Carton.self, CartonItem.self, CartonStamp.self, CartonReceipt.self, Outlet.self
        ) { context in
            try Outlet.create(in: context).name = "corner"
            try CartonStamp.create(in: context).motif = "saved"
        }
        context = test.stack.newContext(name: "form")
        other = test.stack.newContext(name: "list")
        shop = try #require(try Outlet.findFirst(in: context))
        stamp = try #require(try CartonStamp.findFirst(in: context))
    }

    /// Creates a carton with three items, two stamps, a receipt, and a shop that refers to the
    /// carton.
    private func makeCarton(_ label: String = "p") throws -> Carton {
        let carton = try Carton.create(in: context)
        (carton.label, carton.weight, carton.shop) = (label, 7, shop)
        for name in ["c", "a", "b"] {
            let item = try CartonItem.create(in: context)
            item.name = name
            carton.items.append(item)
        }
        let new = try CartonStamp.create(in: context)
        new.motif = "new"
        carton.stamps.append(new)
        carton.stamps.append(stamp)
        carton.receipt = try CartonReceipt.create(in: context, number: 3)
        shop.latest = carton
        return carton
    }

    private func check(_ carton: Carton) throws {
        #expect(carton.label == "p" && carton.weight == 7 && carton.shop?.name == "corner")
        #expect(carton.items.map(\.name) == ["c", "a", "b"])
        #expect(carton.items.allSatisfy { $0.carton === carton })
        #expect(carton.stamps.map(\.motif) == ["new", "saved"])
        #expect(carton.stamps.allSatisfy { $0.cartons.contains(carton) })
        #expect(carton.receipt?.number == 3 && carton.receipt?.carton === carton)
        #expect(carton.shop?.latest === carton)
    }

    @Test func `moving a new object to another context takes its new relatives along`() async throws
    {
        let carton = try makeCarton()
        let (id, item) = (carton.objectID, try #require(carton.items.first))
        let moved = try carton.move(to: other)
        #expect(moved.objectID == id && moved.managedObjectContext === other)
        try check(moved)
        #expect(carton.objectState == .detached && item.objectState == .detached)
        #expect(!context.hasChanges && shop.latest == nil && stamp.cartons.isEmpty)
        #expect(other.insertedObjects.count == 6 && other.updatedObjects.contains { $0 is Outlet })
        try await other.save()
        #expect(!other.hasChanges)
        let seen = test.stack.newContext()
        try check(try Carton.existing(id, in: seen))
        #expect(shop.latest == nil)
        _ = try Carton.count(in: context)
        #expect(shop.latest?.objectID == id)
        #expect(try await test.stack.integrityCheck().isEmpty)
    }

    @Test func `an extracted object graph can be inserted in a save block`() async throws {
        let graph = try context.extract(makeCarton())
        #expect(graph.objectIDs.count == 6)
        try await test.stack.saveWithBlock { try $0.insert(graph) }
        try check(try Carton.existing(graph.objectIDs[0], in: other))
    }

    @Test
    func `a new object moved to a sibling context keeps its new related object`() throws {
        let shop = try Outlet.create(in: context)
        let (one, two) = (context.newChild(), context.newChild())
        let carton = try Carton.create(in: one)
        carton.shop = try shop.in(one)
        let moved = try carton.move(to: two)
        #expect(moved.shop?.objectID == shop.objectID)
        try two.push()
        #expect(try Carton.findFirst(in: context)?.shop === shop)
        try context.saveAndWait()
    }

    @Test func `extracting an object graph leaves unrelated new objects behind`() throws {
        let (carton, second) = (try makeCarton(), try Carton.create(in: context))
        second.label = "q"
        second.stamps.append(stamp)
        second.shop = shop
        _ = try context.extract(carton)
        #expect(context.insertedObjects.first === second)
        #expect(second.stamps.map(\.motif) == ["saved"] && second.shop === shop)
        try context.saveAndWait()
    }

    @Test func `extracting new objects leaves no changes in their context`() throws {
        _ = try context.extract(makeCarton())
        #expect(!context.hasChanges)
        #expect(try Carton.count(in: context) == 0)
        #expect(try context.saveAndWait() == .noChanges)
    }

    @Test func `a new object that cannot move to another context stays in its context`() throws {
        let (pending, child) = (try Outlet.create(in: context), context.newChild(name: "child"))
        let carton = try Carton.create(in: child)
        (carton.label, carton.shop) = ("p", try pending.in(child))
        carton.items.append(try CartonItem.create(in: child))
        carton.shop?.latest = carton
        let error = #expect(throws: RecordStackError.self) { _ = try carton.move(to: other) }
        #expect(error?.code == .notFound && error?.message.contains("“list”") == true)
        let back = try #require(try Carton.findFirst(in: child))
        #expect(back.label == "p" && back.items.count == 1 && back.shop?.latest === back)
        #expect(!other.hasChanges)
        try child.saveAndWait()
        #expect(try Carton.findFirst(in: other)?.shop?.latest?.label == "p")
    }

    /// Another program has deleted a related row, and no context of this stack has noticed.
    @Test func `a new object stays in its context if a move finds a related row gone`()
        async throws
    {
        let here = try TestStack(
            entities: [
                Carton.self, CartonItem.self, CartonStamp.self, CartonReceipt.self, Outlet.self,
            ], at: .temporaryFile, options: .hearingOfNobody)
        try here.seed { try Outlet.create(in: $0).name = "corner" }
        let (form, list) = (here.stack.newContext(), here.stack.newContext())
        let carton = try Carton.create(in: form)
        carton.label = "p"
        carton.items.append(try CartonItem.create(in: form))
        carton.shop = try Outlet.findFirst(in: form)
        carton.shop?.latest = carton
        let path = try #require(here.path)
        try ForeignProgram(path: path).run("DELETE FROM Outlet")
        let error = #expect(throws: RecordStackError.self) { _ = try carton.move(to: list) }
        #expect(error?.code == .notFound)
        let back = try #require(try Carton.findFirst(in: form))
        #expect(back.label == "p" && back.items.count == 1)
        back.shop?.latest = nil
        back.shop = nil
        try await form.save()
        #expect(try Carton.findFirst(in: list)?.items.count == 1)
    }

    @Test func `a moved new object refers to no object that another context deleted`() async throws
    {
        let carton = try makeCarton()
        try await test.stack.saveWithBlock { context in
            try Outlet.findFirst(in: context)?.delete()
            try CartonStamp.findFirst(in: context)?.delete()
        }
        let moved = try carton.move(to: other)
        #expect(moved.shop == nil && moved.stamps.map(\.motif) == ["new"])
        try await other.save()
    }

    @Test func `extracting a saved, deleted or another context's object throws misuse`() throws {
        let carton = try makeCarton()
        let child = context.newChild()
        for object in [shop, try shop.in(child), try carton.in(child)] as [ManagedObject] {
            let owner = try #require(object.managedObjectContext)
            let error = #expect(throws: RecordStackError.self) { _ = try owner.extract(object) }
            #expect(error?.code == .misuse)
        }
        #expect(throws: RecordStackError.self) { _ = try other.extract(carton) }
        try carton.delete()
        #expect(throws: RecordStackError.self) { _ = try context.extract(carton) }
    }

    @Test func `an extracted graph can be inserted once, and only in its own stack`() throws {
        let graph = try context.extract(makeCarton())
        try other.insert(graph)
        let error = #expect(throws: RecordStackError.self) { try other.insert(graph) }
        #expect(error?.code == .misuse)
        let stranger = try TestStack(for: Carton.self)
        let strange = #expect(throws: RecordStackError.self) {
            try stranger.stack.newContext().insert(graph)
        }
        #expect(strange?.message.contains("another stack") == true)
    }

    private func strangers() throws -> [ManagedObjectContext] {
        let model = try ManagedObjectModel(entities: [
            Carton.self, CartonItem.self, CartonStamp.self, CartonReceipt.self, Outlet.self,
        ])
        return try (0..<2).map { _ in
            let coordinator = try PersistentStoreCoordinator(model: model, at: .inMemory)
            return try ContextStack(coordinator: coordinator).newContext()
        }
    }

    @Test func `a new object cannot move between stacks that share only a model`() throws {
        let contexts = try strangers()
        let carton = try Carton.create(in: contexts[0])
        let moving = #expect(throws: RecordStackError.self) {
            _ = try carton.move(to: contexts[1])
        }
        #expect(moving?.message.contains("another stack") == true)
        let graph = try contexts[0].extract(Carton.existing(carton.objectID, in: contexts[0]))
        let error = #expect(throws: RecordStackError.self) { try contexts[1].insert(graph) }
        #expect(error?.code == .misuse && error?.message.contains("another stack") == true)
        #expect(try Carton.count(in: contexts[1]) == 0)
    }

    @Test func `extracted objects can be inserted in a stack of the same coordinator`() throws {
        let one = test.stack
        let two = try ContextStack(coordinator: one.coordinator)
        let graph = try context.extract(makeCarton())
        let there = two.newContext()
        try there.insert(graph)
        try check(Carton.existing(graph.objectIDs[0], in: there))
    }

    @Test func `moving a new object to another context leaves unset properties unset`() throws {
        let moved = try context.create(CartonReceipt.self).move(to: other)
        #expect(!moved.isSet(\CartonReceipt.number) && moved.carton == nil)
        let error = #expect(throws: RecordStackError.self) { try other.saveAndWait() }
        #expect(error?.code == .validation)
        moved.number = 1
        try other.saveAndWait()
    }

    @Test func `moving 5,000 new objects to another context runs at most two SELECTs`() throws {
        let carton = try Carton.create(in: context)
        carton.label = "large"
        for number in 0..<5_000 {
            let item = try CartonItem.create(in: context)
            item.name = "\(number)"
            carton.items.append(item)
        }
        carton.shop = shop
        test.recorder.reset()
        let moved = try carton.move(to: other)
        #expect(moved.items.count == 5_000 && moved.items.last?.name == "4999")
        #expect(test.recorder.statements.count { $0.hasPrefix("SELECT t0") } <= 2)
        try other.saveAndWait()
    }

    @Test func `moving a new object keeps the order of its saved members`() async throws {
        let old = try Carton.create(in: context)
        for name in ["a", "b", "c"] {
            let item = try CartonItem.create(in: context)
            item.name = name
            old.items.append(item)
        }
        try await context.save()
        let carton = try Carton.create(in: context)
        carton.label = "new"
        let items = Array(old.items)
        for place in [2, 0, 1] { carton.items.append(items[place]) }
        let new = try CartonItem.create(in: context)
        new.name = "new"
        carton.items.insert(new, at: 1)
        let moved = try carton.move(to: other)
        let wanted = ["c", "new", "a", "b"]
        #expect(moved.items.map(\.name) == wanted)
        try await other.save()
        let seen = test.stack.newContext()
        #expect(try Carton.existing(moved.objectID, in: seen).items.map(\.name) == wanted)
    }
}
