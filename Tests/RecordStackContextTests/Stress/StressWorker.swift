import Dispatch
import RecordStack
import RecordStackModel
import TestSupport

/// The stack, contexts and counts that all threads of a stress test use.
struct StressPlace: Sendable {
    static let places = 200

    let stack: ContextStack
    let rooms: [PrivateQueueContext]
    let counts: StressCounts
    /// True if save blocks are based on the default context.
    let nestsSaveBlocks: Bool
}

/// Objects and a context that another thread releases.
///
/// - Note: `@unchecked Sendable`: the creator stops using them, and the other thread only releases
///   them, which the library allows on any thread.
private struct ReleasedElsewhere: @unchecked Sendable {
    let objects: [ManagedObject]
    let context: ManagedObjectContext
}

/// A thread of a stress test, with a context of its own.
struct StressWorker {
    let number: Int
    let place: StressPlace
    let own: ManagedObjectContext
    private var random: Seeded
    private let policies: [MergePolicy] = [.storeTrump, .objectTrump, .overwrite, .rollback]

    init(number: Int, place: StressPlace, random: Seeded) {
        self.number = number
        self.place = place
        self.random = random
        own = place.stack.newContext(name: "worker \(number)")
    }

    mutating func run(_ steps: Int) {
        for _ in 0..<steps {
            let step = StressStep(
                &random, rooms: place.rooms.count, places: StressPlace.places)
            do {
                try perform(step)
                place.counts.note(step.kind)
            } catch let error as RecordStackError where Self.isExpected(error) {
                place.counts.noteRefusal("\(error.code)")
            } catch {
                place.counts.noteUnexpected(error)
            }
        }
    }

    /// True if the work of other threads can cause the error.
    private static func isExpected(_ error: RecordStackError) -> Bool {
        [.conflict, .constraint, .notFound, .busy].contains(error.code)
    }

    private func perform(_ step: StressStep) throws {
        let room = place.rooms[step.room]
        switch step.kind {
        case .edit: try room.performAndWait { try Self.edit(step, in: $0) }
        case .ask: try room.performAndWait { try Self.ask(step, in: $0) }
        case .nest: try nest(step)
        case .save:
            try room.performAndWait { [policies] in try Self.save($0, policies[step.number % 4]) }
        case .make: try room.performAndWait { try Self.make(step, in: $0) }
        case .delete: try room.performAndWait { try Self.delete(step, in: $0) }
        case .child: try room.performAndWait { try Self.child(step, of: $0) }
        case .block: try block()
        case .completion: complete()
        case .fresh: try fresh(step)
        case .root:
            try place.stack.rootSavingContext.performAndWait { context in
                try Self.edit(step, in: context)
                try Self.save(context, .objectTrump)
            }
        case .own:
            try Self.edit(step, in: own)
            if step.number % 4 == 0 { try Self.save(own, policies[step.number / 4 % 4]) }
        }
    }

    // MARK: In a context

    private static func item(_ step: StressStep, in context: ManagedObjectContext) throws
        -> StressItem?
    {
        try StressItem.findFirst(in: context) { $0.place == step.place }
    }

    private static func edit(_ step: StressStep, in context: ManagedObjectContext) throws {
        guard let item = try item(step, in: context) else { return }
        item.value += 1
        if step.number % 5 == 0 {
            item.box = try StressBox.findFirst(by: \.number, step.number % 10, in: context)
        }
    }

    private static func ask(_ step: StressStep, in context: ManagedObjectContext) throws {
        switch step.number % 4 {
        case 0: _ = try StressItem.count(in: context) { $0.value > step.number }
        case 1: _ = try StressItem.sum(of: \.value, in: context) { $0.place == step.place }
        case 2:
            for box in try StressBox.find(in: context) { _ = box.items.count }
        default:
            for item in try StressItem.find(limit: 20, in: context) { _ = item.box?.number }
        }
    }

    private static func make(_ step: StressStep, in context: ManagedObjectContext) throws {
        let item = try StressItem.create(in: context, place: step.place)
        item.value = step.number
        item.box = try StressBox.findFirst(by: \.number, step.number % 10, in: context)
    }

    private static func delete(_ step: StressStep, in context: ManagedObjectContext) throws {
        let all = try StressItem.find(in: context) { $0.place == step.place }
        // Keeps the first object, so that there is something to edit.
        for item in all.dropFirst() { try item.delete() }
    }

    /// Saves, or rolls back if the save fails, so that the next steps start over.
    private static func save(_ context: ManagedObjectContext, _ policy: MergePolicy) throws {
        do { try context.saveAndWait(mergePolicy: policy) } catch {
            context.rollback()
            throw error
        }
    }

    private static func child(_ step: StressStep, of context: ManagedObjectContext) throws {
        let child = context.newChild()
        try edit(step, in: child)
        try make(step, in: child)
        switch step.number % 3 {
        case 0: try child.push(mergePolicy: .objectTrump)
        case 1:
            do { try child.saveAndWait(mergePolicy: .objectTrump) } catch {
                context.rollback()
                throw error
            }
        default: break
        }
    }

    // MARK: Beyond one context

    /// Uses one queue context inside another, always in the same order to avoid a deadlock.
    private func nest(_ step: StressStep) throws {
        let (first, second) = (min(step.room, step.otherRoom), max(step.room, step.otherRoom))
        if first == second { return }
        let inner = place.rooms[second]
        try place.rooms[first].performAndWait { context in
            try Self.edit(step, in: context)
            let sum = try inner.performAndWait { context in
                try StressItem.sum(of: \.value, in: context) { $0.place == step.place }
            }
            if sum < 0 { throw StressFailure(what: "a negative sum") }
        }
    }

    private func block() throws {
        let number = number
        try place.stack.saveWithBlockAndWait { context in
            try StressTally.findFirstOrCreate(by: \.worker, number, in: context).count += 1
        }
        place.counts.tally(number)
    }

    private func complete() {
        let (number, counts) = (number, place.counts)
        let nests = place.nestsSaveBlocks
        counts.promise()
        place.stack.saveWithBlock {
            try StressTally.findFirstOrCreate(by: \.worker, number, in: $0).count += 1
        } completion: { result in
            counts.complete()
            switch result {
            case .success: counts.tally(number)
            // If blocks are based on the default context, they also save its changes.
            case .failure(let error as RecordStackError) where nests && error.code == .conflict:
                counts.noteRefusal("a completion")
            case .failure(let error): counts.noteUnexpected(error)
            }
        }
    }

    /// Creates a context with edits and lets another thread release it.
    private func fresh(_ step: StressStep) throws {
        let context = place.stack.newContext(name: "fresh")
        var objects: [ManagedObject] = try StressItem.find(limit: 10, in: context)
        objects.append(
            try StressBox.findFirst(in: context) ?? StressBox.create(in: context, number: 0))
        (objects.first as? StressItem)?.value += 1
        let released = ReleasedElsewhere(objects: objects, context: context)
        objects = []
        DispatchQueue.global().async { withExtendedLifetime(released) {} }
    }
}

struct StressFailure: Error {
    let what: String
}
