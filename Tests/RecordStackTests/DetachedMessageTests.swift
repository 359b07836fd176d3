import RecordStack
import RecordStackModel
import RecordStackTesting
import Synchronization
import Testing

/// Messages about an object without a context, which say how the object left it.
@Suite("Messages about detached objects") struct DetachedMessageTests {
    /// A way in which an object leaves its context.
    enum Way: CaseIterable {
        case deletion, rollback, deletionOfNew, reset, release, deletionElsewhere

        /// The words that every message must contain.
        var words: String {
            switch self {
            case .deletion: "was deleted."
            case .rollback, .deletionOfNew: "was new, and was rolled back, deleted or taken out"
            case .reset: "because its context was reset"
            case .release: "because its context is gone"
            case .deletionElsewhere: "was deleted elsewhere"
            }
        }

        /// Whether nothing is left to delete.
        var leavesNothing: Bool { self != .reset && self != .release }
    }

    private struct Objects {
        let test: TestStack
        var context: ManagedObjectContext?
        let other: ManagedObjectContext
        let person: Person
        let team: Team

        /// Creates objects that are still in their context.
        init() throws {
            test = try TestStack(for: Person.self)
            let context = test.stack.newContext()
            other = test.stack.newContext()
            person = try Person.create(in: context, email: "a")
            team = try Team.create(in: context, title: "A")
            self.context = context
        }

        /// Creates objects that have left their context.
        init(_ way: Way) throws {
            try self.init()
            let context = try #require(context)
            switch way {
            case .rollback: context.rollback()
            case .deletionOfNew: try delete()
            default: try context.saveAndWait()
            }
            switch way {
            case .rollback, .deletionOfNew: break
            case .deletion:
                try delete()
                try context.saveAndWait()
            case .reset: context.reset()
            case .release: self.context = nil
            default:
                try person.in(other).delete()
                try team.in(other).delete()
                try other.saveAndWait()
                #expect(try Person.count(in: context) == 0)
            }
        }

        private func delete() throws {
            try person.delete()
            try team.delete()
        }
    }

    private static func calls(
        _ objects: Objects, _ way: Way
    ) -> [(name: String, call: () throws -> Void)] {
        let (person, other) = (objects.person, objects.other)
        let calls: [(String, () throws -> Void)] = [
            ("validate", { try person.validate() }),
            ("copy", { _ = try person.copy() }),
            ("resolveConflict", { try person.resolveConflict(on: \.name, keeping: .ours) }),
            ("importDictionary", { try person.importDictionary(["name": "Ann"]) }),
            ("move", { _ = try person.move(to: other) }),
            ("refresh", { try other.refresh(person) }),
            ("extract", { _ = try other.extract(person) }),
        ]
        if way.leavesNothing { return calls }
        return calls + [
            ("delete()", { try person.delete() }),
            ("delete(_:)", { try other.delete(person) }),
        ]
    }

    @Test(arguments: Way.allCases)
    func `a call on a detached object says how the object left its context`(_ way: Way) throws {
        let objects = try Objects(way)
        #expect(objects.person.objectState == .detached)
        for (name, call) in Self.calls(objects, way) {
            let error = #expect(throws: RecordStackError.self, "\(name)") { try call() }
            #expect(error?.code == .misuse, "\(name)")
            #expect(error?.objectID == objects.person.objectID, "\(name)")
            let message = error?.message ?? ""
            let start = "\(objects.person.objectID) "
            #expect(message.hasPrefix(start) && message.contains(way.words), "\(name): \(message)")
        }
    }

    @Test(arguments: Way.allCases.filter { $0 != .release })
    func `relating a detached object reports how the object was detached`(_ way: Way) throws {
        let objects = try Objects(way)
        let context = try #require(objects.context)
        let living = try Person.create(in: context, email: "living")
        let club = try Team.create(in: context, title: "living")
        let edits: [() -> Void] = [
            { living.team = objects.team }, { club.members.insert(objects.person) },
        ]
        for edit in edits {
            edit()
            let error = #expect(throws: RecordStackError.self) { try Person.count(in: context) }
            let words = way.words.split(separator: ".")[0]
            #expect(error?.message.contains(words) == true, "\(error as Any)")
        }
        #expect(living.team == nil && club.members.isEmpty)
    }

    @Test func `a to-one set to a deleted object becomes nil, and an error follows`() throws {
        let objects = try Objects()
        let context = try #require(objects.context)
        try context.saveAndWait()
        let living = try Person.create(in: context, email: "living")
        try objects.team.delete()
        living.team = objects.team
        let error = #expect(throws: RecordStackError.self) { try Person.count(in: context) }
        #expect(error?.message.contains("which is to be deleted. It is nil now") == true)
    }

    @Test(arguments: Way.allCases.filter { $0 != .rollback && $0 != .deletionOfNew })
    func `loading a detached fault says how the fault left its context`(_ way: Way) throws {
        let test = try TestStack(for: Person.self) {
            try Person.create(in: $0, email: "a")
        }
        let id = try #require(try Person.objectIDs(in: test.stack.newContext()).first)
        var context: ManagedObjectContext? = test.stack.newContext()
        let fault = try #require(try context?.object(id) as? Person)
        try #require(fault.isFault)
        switch way {
        case .reset: context?.reset()
        case .release: context = nil
        case .deletion:
            try test.stack.deleteAndWait(Person.all)
            #expect(throws: RecordStackError.self) { try fault.load() }
        default:
            try test.stack.deleteAndWait(Person.all)
            #expect(try context.map { try Person.count(in: $0) } == 0)
        }
        let error = #expect(throws: RecordStackError.self) { try fault.load() }
        switch way {
        case .reset, .release:
            #expect(error?.code == .closed && error?.message.contains(way.words) == true)
        default:
            #expect(error?.code == .notFound && error?.message.contains("has no row") == true)
        }
    }

    @Test func `a call on an object of a closed stack says that the stack was closed`() throws {
        let objects = try Objects()
        let context = try #require(objects.context)
        try context.saveAndWait()
        let fault = try Person.create(in: context, email: "b")
        try context.saveAndWait()
        try context.refresh(fault, mergingChanges: false)
        try objects.test.stack.close()
        let person = objects.person
        let calls: [() throws -> Void] = [
            { try fault.load() }, { try person.delete() }, { _ = try person.copy() },
            { try context.refresh(person) }, { try person.importDictionary(["name": "Ann"]) },
            { try person.resolveConflict(on: \.name, keeping: .ours) },
            { _ = try Person.find(in: context) }, { _ = try context.saveAndWait() },
        ]
        for (number, call) in calls.enumerated() {
            let error = #expect(throws: RecordStackError.self, "\(number)") { try call() }
            #expect(error?.code == .closed, "\(number): \(error as Any)")
            #expect(error?.message.contains("The stack was closed") == true, "\(number)")
        }
        #expect(person.objectState == .persistent && person.email == "a")
    }
}
