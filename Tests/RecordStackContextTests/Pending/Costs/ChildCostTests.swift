import RecordStack
import RecordStackTesting
import Testing

/// The copies that a child makes of its parent's unsaved objects.
@Suite("Costs of child contexts") struct ChildCostTests {
    private let test: TestStack
    private let parent: ManagedObjectContext
    private let shipments: [Shipment]

    init() throws {
        let test = try TestStack(for: Shipment.self, Depot.self)
        let parent = test.stack.newContext()
        (self.test, self.parent) = (test, parent)
        shipments = try (0..<300).map { try Shipment.create(in: parent, code: "\($0)") }
    }

    @Test func `a child that looks up one of its parent's objects holds only that one`() throws {
        for shipment in shipments {
            let child = parent.newChild()
            let mine = try shipment.in(child)
            mine.weight += 1
            #expect(child.registeredObjectCount == 1)
            try child.push()
        }
        #expect(shipments.allSatisfy { $0.weight == 1 })
        try parent.saveAndWait()
        #expect(try Shipment.sum(of: \.weight, in: test.stack.newContext()) == 300)
    }

    @Test func `a child's lookup by ID follows its parent's deletion and rollback`() throws {
        try parent.saveAndWait()
        let id = shipments[7].objectID
        let child = parent.newChild()
        try shipments[7].delete()
        #expect(try Shipment.count(in: child) == 299)
        parent.rollback()
        #expect(try Shipment.existing(id, in: child).code == "7")
        try shipments[7].delete()
        let error = #expect(throws: RecordStackError.self) {
            try Shipment.existing(id, in: child)
        }
        #expect(error?.code == .notFound)
    }

    @Test func `a child shows its parent's edits until it edits the object itself`() throws {
        let child = parent.newChild()
        let mine = try shipments[0].in(child)
        shipments[0].weight = 5
        _ = try shipments[1].in(child)
        #expect(mine.weight == 5)
        mine.weight = 6
        shipments[0].weight = 7
        _ = try Shipment.findFirst(by: \.code, "3", in: child)
        #expect(mine.weight == 6)
    }

    @Test func `a child shows its parent's edit after setting its own value back`() throws {
        let child = parent.newChild()
        for shipment in shipments {
            let mine = try #require(try Shipment.findFirst(by: \.code, shipment.code, in: child))
            mine.weight += 1
        }
        let mine = try shipments[9].in(child)
        mine.weight = 0
        _ = try Shipment.findFirst(by: \.code, "3", in: child)
        shipments[9].weight = 4
        _ = try Shipment.findFirst(by: \.code, "3", in: child)
        #expect(mine.weight == 4)
        try child.push()
        #expect(shipments.filter { $0.weight == 1 }.count == 299 && shipments[9].weight == 4)
    }
}
