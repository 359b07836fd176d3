import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

@Entity class Piece: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute var text: String = ""
    @Attribute var weight: Int?
    @Relationship(inverse: \Crate.pieces) var crate: Crate?
    @Relationship(inverse: \Piece.parts) var whole: Piece?
    @Relationship var parts: ToMany<Piece>
}

@Entity final class FinePiece: Piece {
    @Attribute var polish: Int = 0
}

@Entity final class Crate: ManagedObject {
    @Attribute(.unique) var label: String
    @Attribute var text: String = ""
    @Relationship var pieces: ToMany<Piece>
}

/// Random work in several contexts on one store. Each context shows the same in every kind of
/// request, both sides of each relationship agree, and a save changes nothing of what is shown.
@Suite("Random graphs in several contexts") struct RandomGraphTests {
    @Test(arguments: Crew.Kind.allCases)
    func `contexts agree with each other and the store after random work`(
        kind: Crew.Kind
    ) {
        run(kind, rounds: Seeded.rounds(250, full: 5_000))
    }

    private func run(_ kind: Crew.Kind, rounds: Int) {
        let start = Seeded.fromEnvironment()
        var seeds = start
        var failures = 0
        for _ in 0..<rounds where failures < 5 {
            let seed = seeds.next()
            var log: [String] = []
            do {
                var crew = try Crew(kind, seed: seed)
                defer { log = crew.log }
                for _ in 0..<40 { try crew.step() }
            } catch {
                failures += 1
                let end = log.suffix(25).joined(separator: "\n")
                Issue.record("seed \(start.seed), sequence \(seed) of \(kind): \(error)\n\(end)")
            }
        }
    }
}

/// The contexts of one sequence, and the steps in them.
struct Crew {
    enum Kind: Sendable, CaseIterable {
        case alone, withFollower, withChildren, all
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let stack: ContextStack
    private let contexts: [ManagedObjectContext]
    private var random: Seeded
    private var number = 0
    /// True if another context has saved, or an ancestor has changed something, while a context had
    /// changes. These may be conflicts now.
    private var mayConflict = false
    private(set) var log: [String] = []

    init(_ kind: Kind, seed: UInt64) throws {
        random = Seeded(seed: seed)
        let test = try TestStack(for: Crate.self, Piece.self, FinePiece.self)
        stack = test.stack
        let main = stack.newContext(name: "main")
        let child = main.newChild(name: "child")
        let follower = stack.newContext(name: "follower")
        contexts =
            switch kind {
            case .alone: [main]
            case .withFollower: [main, follower]
            case .withChildren: [main, main, child, child.newChild(name: "grandchild")]
            case .all: [main, child, follower]
            }
    }

    mutating func step() throws {
        let context = contexts.randomElement(using: &random)!
        switch Int.random(in: 0..<20, using: &random) {
        case 0, 1: try save(context)
        case 2: try rollBack(context)
        case 3 where context.parent != nil: try push(context)
        case 4: try refresh(context)
        case 5: try saveInBlock()
        default: try edit(context)
        }
        if !contexts.contains(where: \.hasChanges) { mayConflict = false }
        try check(context)
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value? {
        values.randomElement(using: &random)
    }
}

extension Crew {
    private mutating func edit(_ context: ManagedObjectContext) throws {
        let below = contexts.filter { $0 !== context && chain(of: $0).contains { $0 === context } }
        if below.contains(where: \.hasChanges) { mayConflict = true }
        let pieces = try Piece.find(in: context)
        let crates = try Crate.find(in: context)
        let piece = pick(pieces)
        let crate = pick(crates)
        let kind = Int.random(in: 0..<10, using: &random)
        log.append(
            "\(context.name): edit \(kind) \(piece?.objectID.key ?? 0) \(crate?.objectID.key ?? 0)")
        switch kind {
        case 0, 1:
            number += 1
            let new: Piece =
                kind == 0 ? try Piece.create(in: context) : try FinePiece.create(in: context)
            new.number = number
            new.crate = crate
        case 2:
            number += 1
            try Crate.create(in: context, label: "c\(number)")
        case 3: try piece?.delete()
        case 4: if random.chance(30) { try crate?.delete() }
        case 5: piece?.crate = random.chance(30) ? nil : crate
        case 6: piece?.whole = random.chance(30) ? nil : pick(pieces)
        case 7:
            if let piece, let crate {
                if random.chance(50) {
                    crate.pieces.insert(piece)
                } else {
                    crate.pieces.remove(piece)
                }
            }
        case 8:
            if let piece, let other = pick(pieces) {
                (piece.number, other.number) = (other.number, piece.number)
            }
        default:
            piece?.text = pick(["", "a", "é"])!
            piece?.weight = random.chance(30) ? nil : Int.random(in: 0..<4, using: &random)
            crate?.text = pick(["", "b"])!
        }
    }

    private mutating func save(_ context: ManagedObjectContext) throws {
        let before = try view(of: context)
        do {
            let outcome = try waitedSave(context)
            if !chain(of: context).contains(where: { $0 === contexts[0] }) { mayConflict = true }
            log.append("\(context.name): \(outcome)")
            let after = try view(of: context)
            if before != after { throw Failure(description: "saving changed \(context.name)") }
            if try view(of: stack.newContext()) != after {
                throw Failure(description: "\(context.name) differs from the store")
            }
            for level in chain(of: context) where level.hasChanges {
                let left = [level.insertedObjects, level.updatedObjects, level.deletedObjects].map {
                    $0.map { "\($0.objectID.key) \($0.changedValues())" }
                }
                throw Failure(
                    description: "changes are left in \(level.name) after saving: \(left)")
            }
        } catch let error as RecordStackError
            where error.code == .conflict || error.code == .constraint
        {
            log.append("\(context.name): \(error.code)")
            for level in chain(of: context) { level.rollback() }
        }
    }

    private mutating func rollBack(_ context: ManagedObjectContext) throws {
        log.append("\(context.name): rollback")
        context.rollback()
        let wanted = try view(of: context.parent ?? stack.newContext())
        if try view(of: context) != wanted {
            throw Failure(description: "rolled back, \(context.name) differs from what is below it")
        }
    }

    private mutating func push(_ context: ManagedObjectContext) throws {
        let before = try view(of: context)
        do {
            log.append("\(context.name): push \(try context.push())")
        } catch let error as RecordStackError where error.code == .conflict {
            return context.rollback()
        }
        let parent = try view(of: context.parent!)
        let after = try view(of: context)
        // If a child sets a value back to the one that its parent began with, the parent has no
        // change. That ends a conflict of the parent with other contexts.
        if parent != after || (after != before && !mayConflict) {
            let lines = [before, after, parent].map { $0.joined(separator: "; ") }
            throw Failure(
                description: "pushing changed \(context.name): \(lines.joined(separator: "\n"))")
        }
    }

    private mutating func refresh(_ context: ManagedObjectContext) throws {
        log.append("\(context.name): refresh")
        let before = try view(of: context)
        context.refreshAllObjects()
        if try view(of: context) != before { throw Failure(description: "refreshing changed it") }
    }

    private mutating func saveInBlock() throws {
        log.append("block")
        mayConflict = true
        try stack.saveWithBlockAndWait { context in
            for piece in try Piece.find(sortedBy: .descending(\.text), limit: 2, in: context) {
                piece.weight = ((piece.weight ?? 0) + 1) % 4
            }
        }
    }

    private func chain(of context: ManagedObjectContext) -> [ManagedObjectContext] {
        Array(sequence(first: context) { $0.parent })
    }
}

extension Crew {
    /// Returns everything that a context shows.
    private func view(of context: ManagedObjectContext) throws -> [String] {
        let pieces = try Piece.find(in: context).map { piece in
            "\(type(of: piece)) \(piece.objectID.key) \(piece.number) \(piece.text) "
                + "\(piece.weight as Any) \(piece.crate?.objectID.key ?? 0) "
                + "\(piece.whole?.objectID.key ?? 0)"
        }
        return try pieces
            + Crate.find(in: context).map { "\($0.objectID.key) \($0.label) \($0.text)" }
    }

    /// Checks that different requests agree in a context.
    private mutating func check(_ context: ManagedObjectContext) throws {
        let pieces = try Piece.find(in: context)
        let crates = try Crate.find(in: context)
        try require(Set(pieces.map(\.objectID)).count == pieces.count, "doubled", context)
        try checkMembers(pieces, crates, context)
        try checkFilter(pieces, context)
        let snapshots = try Piece.snapshots(in: context)
        try require(
            snapshots.map(\.crate) == pieces.map { $0.crate?.objectID }, "snapshots", context)
        if let piece = pick(pieces) {
            let found = try Piece.findFirst(by: \.number, piece.number, in: context)
            try require(found != nil, "looked up by a unique value", context)
        }
    }

    private func checkMembers(
        _ pieces: [Piece], _ crates: [Crate], _ context: ManagedObjectContext
    ) throws {
        for crate in crates {
            let members = Set(crate.pieces.map(\.objectID))
            let wanted = Set(pieces.filter { $0.crate === crate }.map(\.objectID))
            try require(
                members == wanted,
                "members of \(crate.objectID.key) \(members.map(\.key)), not \(wanted.map(\.key))",
                context)
            try require(crate.pieces.count == wanted.count, "their number", context)
        }
        for piece in pieces {
            let wanted = Set(pieces.filter { $0.whole === piece }.map(\.objectID))
            let parts = Set(piece.parts.map(\.objectID))
            try require(
                parts == wanted,
                "parts of \(piece.objectID.key) \(parts.map(\.key)), not \(wanted.map(\.key))",
                context)
        }
    }

    private mutating func checkFilter(_ pieces: [Piece], _ context: ManagedObjectContext) throws {
        let weight = Int.random(in: 0..<4, using: &random)
        let wanted = pieces.filter { piece in
            (piece.weight ?? -1) >= weight || piece.crate == nil || piece.crate?.text == "b"
        }
        let request = Piece.where { $0.weight >= weight || $0.crate == nil || $0.crate.text == "b" }
        let found = try context.find(request)
        try require(
            found.elementsEqual(wanted, by: ===),
            "find \(found.map(\.objectID.key)) instead of \(wanted.map(\.objectID.key))", context)
        try require(try context.count(request) == wanted.count, "count", context)
        try require(try context.exists(request) == !wanted.isEmpty, "exists", context)
        let page = try context.page(2, size: 2, of: request)
        try require(page.total == wanted.count, "total", context)
        try require(
            page.items.elementsEqual(wanted.dropFirst(2).prefix(2), by: ===), "page", context)
    }

    private func require(
        _ condition: Bool, _ what: String, _ context: ManagedObjectContext
    ) throws {
        if !condition { throw Failure(description: "\(what) in \(context.name)") }
    }
}
