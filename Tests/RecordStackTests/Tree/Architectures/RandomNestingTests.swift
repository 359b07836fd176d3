import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

@Entity final class Consignment: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute var weight: Int
    @Attribute var price: Int
}

/// Save blocks over the default context's edits, among saves of other contexts, compared with plain
/// dictionaries.
@MainActor @Suite("Random work with save blocks") struct RandomNestingTests {
    @Test func `random saves and blocks in a nested stack match plain dictionaries`() async throws {
        var random = Seeded.fromEnvironment()
        let rounds = Seeded.rounds(150, full: 5_000)
        var done: [String: Int] = [:]
        for round in 0..<rounds {
            var script = try NestingScript(random, round.isMultiple(of: 2) ? .nested : .parentChild)
            do {
                for _ in 0..<40 { try await script.step() }
            } catch {
                Issue.record(error, "seed \(random.seed), round \(round): \(script.log.suffix(60))")
                return
            }
            random = script.random
            done.merge(script.done) { $0 + $1 }
        }
        print("nesting, seed \(random.seed): \(done.sorted { $0.key < $1.key })")
        for kind in NestingScript.kinds { #expect(done[kind, default: 0] > 0, "\(kind)") }
    }
}

/// One sequence of random steps.
@MainActor struct NestingScript {
    struct Difference: Error {
        let what: String
    }

    nonisolated static let kinds = [
        "create", "edit", "delete", "roll back", "save", "conflict", "block", "failing block",
        "other",
    ]

    private let test: TestStack
    private let context: ManagedObjectContext
    private var model = NestingModel()
    private var last = 0
    var random: Seeded
    private(set) var done: [String: Int] = [:]
    private(set) var log: [String] = []

    init(_ random: Seeded, _ architecture: StackArchitecture) throws {
        self.random = random
        test = try TestStack(for: Consignment.self, architecture: architecture)
        context = test.stack.defaultContext
    }

    mutating func step() async throws {
        switch random.below(16) {
        case 0, 1: try create()
        case 2, 3, 4, 5: try edit()
        case 6: try delete()
        case 7:
            context.rollback()
            model.rollBack()
            count("roll back")
        case 8, 9: try await save()
        case 10, 11, 12: try await block(fails: random.chance(15))
        default: try await other()
        }
        try check()
    }

    private mutating func count(_ kind: String, _ details: String = "") {
        done[kind, default: 0] += 1
        log.append("\(kind) \(details)")
    }

    private func check() throws {
        let found = try Consignment.find(in: context).map { ($0.number, [$0.weight, $0.price]) }
        let shown = Dictionary(uniqueKeysWithValues: found)
        if shown != model.shown {
            throw Difference(what: "shown \(shown), not \(model.shown)")
        }
        if context.hasChanges == model.pending.isEmpty {
            throw Difference(what: "has changes: \(context.hasChanges)")
        }
    }

    // MARK: The default context

    private mutating func create() throws {
        last += 1
        let values = [random.below(5), random.below(5)]
        try Consignment.create(in: context, number: last, weight: values[0], price: values[1])
        model.create(last, values)
        count("create", "\(last) \(values)")
    }

    private mutating func any() throws -> Consignment? {
        try Consignment.find(sortedBy: .ascending(\.number), in: context)
            .randomElement(using: &random)
    }

    private mutating func edit() throws {
        guard let consignment = try any() else { return }
        let (place, value) = (random.below(2), random.below(5))
        if place == 0 { consignment.weight = value } else { consignment.price = value }
        model.edit(consignment.number, place, value)
        count("edit", "\(consignment.number) \(place) \(value)")
    }

    private mutating func delete() throws {
        guard let consignment = try any() else { return }
        count("delete", "\(consignment.number)")
        model.delete(consignment.number)
        try consignment.delete()
    }

    private mutating func save() async throws {
        let isInConflict = model.isInConflict
        do {
            try await context.save()
            if isInConflict { throw Difference(what: "the save was no conflict") }
            model.save()
            count("save")
        } catch let error as RecordStackError where error.code == .conflict {
            if !isInConflict { throw Difference(what: "the save was a conflict: \(error)") }
            context.rollback()
            model.rollBack()
            count("conflict")
        }
        try await checkStored()
    }

    // MARK: Others

    /// Returns edits that another context will make. They are chosen beforehand, because blocks run
    /// elsewhere.
    private mutating func edits(of rows: [Int: [Int]]) -> (edits: [Edit], after: [Int: [Int]]) {
        var (edits, after) = ([Edit](), rows)
        for _ in 0...random.below(3) {
            guard random.chance(75), let number = after.keys.sorted().randomElement(using: &random)
            else {
                last += 1
                after[last] = [random.below(5), random.below(5)]
                edits.append(Edit(number: last, values: after[last]))
                continue
            }
            if random.chance(25) {
                after[number] = nil
            } else {
                after[number]![random.below(2)] = random.below(5)
            }
            edits.append(Edit(number: number, values: after[number]))
        }
        return (edits, after)
    }

    private mutating func block(fails: Bool) async throws {
        let before = model.seenByBlock
        let (edits, after) = edits(of: before)
        log.append("block \(edits.map { "\($0.number) \($0.values ?? [])" })")
        do {
            try await test.stack.saveWithBlock { context in
                let seen = try Edit.rows(in: context)
                if seen != before { throw Difference(what: "the block saw \(seen), not \(before)") }
                for edit in edits { try edit.carryOut(in: context) }
                if fails { throw CancellationError() }
            }
            model.saveBlock(after)
            count("block")
        } catch is CancellationError {
            count("failing block")
        }
        try await checkStored()
    }

    private mutating func other() async throws {
        let (edits, after) = edits(of: model.stored)
        log.append("other \(edits.map { "\($0.number) \($0.values ?? [])" })")
        let other = test.stack.newPrivateQueueContext()
        try await other.perform { context in
            for edit in edits { try edit.carryOut(in: context) }
            try context.saveAndWait()
        }
        model.saveElsewhere(after)
        count("other")
    }

    private func checkStored() async throws {
        let stored = try await test.stack.read { try Edit.rows(in: $0) }
        if stored != model.stored {
            throw Difference(what: "stored \(stored), not \(model.stored)")
        }
    }
}

/// The next state of a consignment: created, changed, or deleted if there are no values.
struct Edit: Sendable {
    let number: Int
    let values: [Int]?

    func carryOut(in context: ManagedObjectContext) throws {
        let consignment = try Consignment.findFirst(by: \.number, number, in: context)
        guard let values else {
            try consignment?.delete()
            return
        }
        guard let consignment else {
            try Consignment.create(in: context, number: number, weight: values[0], price: values[1])
            return
        }
        if consignment.weight != values[0] { consignment.weight = values[0] }
        if consignment.price != values[1] { consignment.price = values[1] }
    }

    static func rows(in context: ManagedObjectContext) throws -> [Int: [Int]] {
        let found = try Consignment.find(in: context).map { ($0.number, [$0.weight, $0.price]) }
        return Dictionary(uniqueKeysWithValues: found)
    }
}
