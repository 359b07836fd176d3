import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// Snapshots that restore their objects.
@Suite("Restoring snapshots") struct RestoreTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Parcel.self, Sorting.self, Stamp.self)
        context = test.stack.newContext()
        let depot = try Sorting.create(in: context, name: "Hull")
        let stamps = try (1...3).map { try Stamp.create(in: context, value: $0) }
        let parcel = try Parcel.create(in: context, code: "p", weight: 7)
        parcel.depot = depot
        parcel.stamps.formUnion(stamps[..<2])
        parcel.route.append(contentsOf: [stamps[2], stamps[0], stamps[1]])
        try context.saveAndWait()
    }

    private func parcel(in context: ManagedObjectContext) throws -> Parcel {
        try Parcel.one(in: context)
    }

    private func expectWhole(
        in context: ManagedObjectContext, location: SourceLocation = #_sourceLocation
    ) throws {
        let parcel = try parcel(in: context)
        #expect(parcel.code == "p" && parcel.weight == 7, sourceLocation: location)
        #expect(parcel.depot?.name == "Hull", sourceLocation: location)
        #expect(parcel.depot?.parcels.contains(parcel) == true, sourceLocation: location)
        #expect(parcel.stamps.map(\.value).sorted() == [1, 2], sourceLocation: location)
        #expect(parcel.route.map(\.value) == [3, 1, 2], sourceLocation: location)
        let stamp = try Stamp.one(in: context) { $0.value == 1 }
        #expect(stamp.parcels.contains(parcel), sourceLocation: location)
    }

    enum Deletion: CaseIterable {
        case unsaved, saved, savedElsewhere, byStack, inChild, ofNew
    }

    @Test(arguments: Deletion.allCases)
    func `restoring a snapshot brings a deleted object back under its ID`(
        _ deletion: Deletion
    ) async throws {
        let context = deletion == .inChild ? self.context.newChild() : self.context
        let original = try parcel(in: context)
        let snapshot = try original.snapshot
        switch deletion {
        case .unsaved: try context.delete(original)
        case .saved:
            try context.delete(original)
            try await context.save()
        case .savedElsewhere:
            try await test.stack.saveWithBlock { try Parcel.deleteAll(in: $0) }
            #expect(try Parcel.count(in: context) == 0)
        case .byStack: try await test.stack.delete(Parcel.all)
        case .inChild:
            try context.delete(original)
            try await context.save()
            try await self.context.save()
        case .ofNew:
            try context.delete(original)
            try await context.save()
            let again = try context.restore(snapshot)
            try context.delete(again)
        }
        let restored = try context.restore(snapshot)
        #expect(restored.objectID == snapshot.objectID)
        #expect(try Parcel.find(in: context) == [restored])
        try expectWhole(in: context)
        #expect(deletion == .unsaved || context.hasChanges)
        try await context.save()
        #expect(!context.hasChanges && restored.objectState == .persistent)
        try expectWhole(in: context)
        try expectWhole(in: test.stack.newContext())
        restored.weight = 8
        try await context.save()
        #expect(try parcel(in: test.stack.newContext()).weight == 8)
    }

    @Test
    func `a child cannot restore an object that its parent has marked deleted`() async throws {
        let child = context.newChild()
        let snapshot = try parcel(in: child).snapshot
        try context.delete(parcel(in: context))
        let error = #expect(throws: RecordStackError.self) { try child.restore(snapshot) }
        #expect(error?.code == .misuse && error?.message.contains("restore(_:)") == true)
        #expect(!child.hasChanges)
        try context.restore(snapshot)
        #expect(!context.hasChanges)
        try expectWhole(in: child)
    }

    @Test func `restoring a snapshot sets an existing object's values and members back`() throws {
        let parcel = try parcel(in: context)
        let snapshot = try parcel.snapshot
        parcel.weight = 9
        parcel.depot = nil
        parcel.stamps.removeAll()
        parcel.route.move(from: 0, to: 2)
        try context.saveAndWait()
        #expect(try context.restore(snapshot) === parcel)
        try expectWhole(in: context)
        try context.saveAndWait()
        try expectWhole(in: test.stack.newContext())
    }

    @Test func `restoring a snapshot leaves out related objects that are gone`() async throws {
        let parcel = try parcel(in: context)
        let snapshot = try parcel.snapshot
        try context.delete(parcel)
        try context.delete(#require(parcel.depot))
        for stamp in try Stamp.find(in: context, where: { $0.value < 3 }) {
            try context.delete(stamp)
        }
        try await context.save()
        let restored = try context.restore(snapshot)
        #expect(restored.depot == nil && restored.stamps.isEmpty)
        #expect(restored.route.map(\.value) == [3])
        try await context.save()
    }

    @Test func `restoring a snapshot from snapshots(in:) keeps the current members`() throws {
        let parcel = try parcel(in: context)
        let listed = try #require(try Parcel.snapshots(in: context).first)
        let found = try #require(try Parcel.find(in: context).snapshots().first)
        #expect(try listed == found && listed == parcel.snapshot)
        parcel.weight = 1
        try context.restore(listed)
        try expectWhole(in: context)
        try context.delete(parcel)
        try context.saveAndWait()
        let restored = try context.restore(found)
        #expect(restored.depot?.name == "Hull" && restored.stamps.isEmpty && restored.route.isEmpty)
    }

    @Test func `a snapshot can be restored in another context`() async throws {
        let snapshot = try await test.stack.saveWithBlock { context in
            let parcel = try Parcel.one(in: context)
            let snapshot = try parcel.snapshot
            try context.delete(parcel)
            return snapshot
        }
        let id = try await test.stack.saveWithBlock { try $0.restore(snapshot).objectID }
        #expect(id == snapshot.objectID)
        try expectWhole(in: context)
    }

    @Test
    func `restoring an object in two contexts makes the second save a conflict`() async throws {
        let snapshot = try parcel(in: context).snapshot
        try await test.stack.delete(Parcel.all)
        let (first, second) = (test.stack.newContext(), test.stack.newContext())
        let mine = try first.restore(snapshot)
        mine.weight = 100
        try second.restore(snapshot)
        try await first.save()
        await #expect(throws: RecordStackError.self) { try await second.save() }
        second.rollback()
        #expect(try Parcel.find(in: second).map(\.weight) == [100])
    }

    @Test func `a rollback after restoring a deleted object deletes the object again`() throws {
        let parcel = try parcel(in: context)
        let snapshot = try parcel.snapshot
        try context.delete(parcel)
        try context.saveAndWait()
        let restored = try context.restore(snapshot)
        context.rollback()
        #expect(restored.isDeleted && !context.hasChanges)
        #expect(try Parcel.count(in: context) == 0)
    }

    @Test func `restoring a snapshot of another store throws misuse`() throws {
        let other = try TestStack(for: Parcel.self, Sorting.self, Stamp.self)
        let snapshot = try parcel(in: context).snapshot
        let error = #expect(throws: RecordStackError.self) {
            try other.stack.newContext().restore(snapshot)
        }
        #expect(error?.code == .misuse)
    }

    @Test func `restoring snapshots in reverse order undoes saved edits`() async throws {
        var undo: [Snapshot<Parcel>] = []
        for step in 1...3 {
            let parcel = try parcel(in: context)
            undo.append(try parcel.snapshot)
            if step == 3 { try context.delete(parcel) } else { parcel.weight = 10 * step }
            try await context.save()
        }
        var weights: [Int] = []
        while let last = undo.popLast() {
            weights.append(try context.restore(last).weight)
            try await context.save()
        }
        #expect(weights == [20, 10, 7])
        try expectWhole(in: test.stack.newContext())
    }
}

@Entity final class Parcel: ManagedObject {
    @Attribute(.unique) var code: String
    var weight: Int = 0
    @Relationship(inverse: \Sorting.parcels) var depot: Sorting?
    @Relationship(inverse: \Stamp.parcels) var stamps: ToMany<Stamp>
    var route: OrderedToMany<Stamp>
}

@Entity final class Sorting: ManagedObject {
    var name: String
    var parcels: ToMany<Parcel>
}

@Entity final class Stamp: ManagedObject {
    var value: Int
    var parcels: ToMany<Parcel>
}
