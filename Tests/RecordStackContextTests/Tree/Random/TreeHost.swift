import RecordStack
import RecordStackModel

/// The contexts of one isolation, and the steps in them.
final class TreeHost {
    static let baskets = 3

    private let stack: ContextStack
    private var contexts: [Int: ManagedObjectContext] = [:]

    init(_ stack: ContextStack) {
        self.stack = stack
    }

    func add(_ context: ManagedObjectContext, as node: Int) { contexts[node] = context }

    // The script names only contexts that exist.
    func context(_ node: Int) -> ManagedObjectContext { contexts[node]! }

    /// - Returns: the code of the thrown error, or nil.
    func perform(_ step: TreeStep, in node: Int) async throws -> RecordStackError.Code? {
        let context = context(node)
        switch step {
        case .create(let number, let values):
            let leaf = try Leaf.create(in: context, number: number)
            try set(values, of: leaf)
        case .edit(let number, let place, let value):
            try set(value, at: place, of: leaf(number, context))
        case .delete(let number): try leaf(number, context).delete()
        case .rollBack: context.rollback()
        case .addChild(let child): contexts[child] = context.newChild(name: "child \(child)")
        case .drop: contexts[node] = nil
        case .push:
            do { try context.push() } catch let error as RecordStackError { return error.code }
        case .save:
            do { try await context.save() } catch let error as RecordStackError {
                return error.code
            }
        }
        return nil
    }

    /// Counts the objects in a context, which merges new commits in this operation.
    func count(in node: Int) throws -> Int { try Leaf.count(in: context(node)) }

    private func leaf(_ number: Int, _ context: ManagedObjectContext) throws -> Leaf {
        guard let leaf = try Leaf.findFirst(by: \.number, number, in: context) else {
            throw TreeDifference(what: "leaf \(number) is missing in \(context.name)")
        }
        return leaf
    }

    private func set(_ values: [Int], of leaf: Leaf) throws {
        for (place, value) in values.enumerated() { try set(value, at: place, of: leaf) }
    }

    private func set(_ value: Int, at place: Int, of leaf: Leaf) throws {
        switch place {
        case 0: leaf.weight = value
        case 1: leaf.price = value
        default:
            // The leaf was just found, so it has a context.
            leaf.basket = try Basket.findFirst(by: \.number, value, in: leaf.managedObjectContext!)
        }
    }

    /// Reads a context in one of several ways.
    func reading(of node: Int, way: Int) throws -> TreeReading {
        let context = context(node)
        var reading = TreeReading()
        for leaf in try Leaf.find(in: context) {
            reading.rows[leaf.number] = [leaf.weight, leaf.price, leaf.basket?.number ?? 0]
        }
        reading.hasChanges = context.hasChanges
        switch way {
        case 0: reading.sum = try Leaf.sum(of: \.weight, in: context) { $0.price > 1 }
        case 1: reading.heavy = try Leaf.count(in: context) { $0.weight >= 2 && $0.basket != nil }
        case 2:
            for basket in try Basket.find(in: context) {
                reading.members[basket.number] = Set(basket.leaves.map(\.number))
            }
        case 3:
            reading.page = try Leaf.page(
                1, size: 3, sortedBy: [.descending(\.weight), .ascending(\.number)], in: context
            ).items.map(\.number)
        default:
            let rows = try Basket.find(in: context) { $0.leaves.any { $0.weight > 2 } }
            reading.basketsWithHeavy = Set(rows.map(\.number))
        }
        return reading
    }
}

/// The results of reading a context. A result that was not read is nil.
struct TreeReading: Sendable {
    var rows: TreeModel.Rows = [:]
    var hasChanges = false
    var sum: Int?
    var heavy: Int?
    var members: [Int: Set<Int>] = [:]
    var page: [Int]?
    var basketsWithHeavy: Set<Int>?

    /// Returns the results that a reading should have.
    static func expected(_ rows: TreeModel.Rows, like reading: TreeReading) -> TreeReading {
        var expected = TreeReading()
        expected.rows = rows
        expected.hasChanges = reading.hasChanges
        if reading.sum != nil {
            expected.sum = rows.values.filter { $0[1] > 1 }.reduce(0) { $0 + $1[0] }
        }
        if reading.heavy != nil {
            expected.heavy = rows.values.count { $0[0] >= 2 && $0[2] != 0 }
        }
        for basket in reading.members.keys {
            expected.members[basket] = Set(rows.filter { $0.value[2] == basket }.keys)
        }
        if reading.page != nil {
            let sorted = rows.sorted { ($1.value[0], $0.key) < ($0.value[0], $1.key) }
            expected.page = sorted.prefix(3).map(\.key)
        }
        if reading.basketsWithHeavy != nil {
            expected.basketsWithHeavy = Set(
                rows.values.filter { $0[0] > 2 && $0[2] != 0 }.map { $0[2] })
        }
        return expected
    }
}

extension TreeReading: Equatable {}

struct TreeDifference: Error {
    let what: String
}

/// A step in one context.
enum TreeStep: Sendable {
    case create(Int, [Int])
    case edit(Int, Int, Int)
    case delete(Int)
    case rollBack
    case push
    case save
    case addChild(Int)
    case drop
}

/// An actor that keeps the contexts of one tree.
actor TreeActor {
    private let host: TreeHost

    init(_ stack: ContextStack) {
        host = TreeHost(stack)
    }

    func begin(_ stack: ContextStack, top: Int) {
        host.add(stack.newContext(ownedBy: self, name: "actor's \(top)"), as: top)
    }

    func perform(_ step: TreeStep, in node: Int) async throws -> RecordStackError.Code? {
        try await host.perform(step, in: node)
    }

    func count(in node: Int) throws -> Int { try host.count(in: node) }

    func reading(of node: Int, way: Int) throws -> TreeReading {
        try host.reading(of: node, way: way)
    }
}
