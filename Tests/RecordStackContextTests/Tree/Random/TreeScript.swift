import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport

/// A sequence of random steps in a tree of contexts.
@MainActor struct TreeScript {
    nonisolated static let kinds = [
        "create", "edit", "delete", "roll back", "push", "save", "refused push", "refused save",
        "child", "drop",
    ]
    private static let mostContexts = 8
    private static let mostLevels = 4

    private let test: TestStack
    private let main: TreeHost
    private let actors: [TreeActor]
    /// True if all contexts read after each step. Contexts that read only now and then show the
    /// same rows, but whether their changes conflict may depend on the commits that they have
    /// missed in between.
    private let looks: Bool
    private var model: TreeModel
    /// The owner of each context: nil for the main actor, or the index of an actor.
    private var owners: [Int: Int?] = [:]
    private var lastNode = 0
    private var lastNumber = 0
    var random: Seeded
    private(set) var done: [String: Int] = [:]
    private(set) var log: [String] = []
    private(set) var deepest = 0

    init(_ random: Seeded) async throws {
        self.random = random
        looks = self.random.chance(50)
        model = TreeModel()
        let architecture: StackArchitecture = self.random.chance(70) ? .savingRoot : .siblings
        test = try TestStack(for: Leaf.self, architecture: architecture) { context in
            for number in 1...TreeHost.baskets { try Basket.create(in: context, number: number) }
        }
        main = TreeHost(test.stack)
        actors = [TreeActor(test.stack), TreeActor(test.stack)]
        main.add(test.stack.defaultContext, as: 0)
        add(0, below: nil, owner: nil)
        for (place, actor) in actors.enumerated() {
            lastNode += 1
            await actor.begin(test.stack, top: lastNode)
            add(lastNode, below: nil, owner: place)
        }
    }

    private mutating func add(_ node: Int, below parent: Int?, owner: Int?) {
        model.add(node, below: parent)
        owners[node] = .some(owner)
        deepest = max(deepest, model.chain(node).count)
    }

    mutating func step() async throws {
        // The contexts are sorted so that the choice does not depend on the process.
        let node = model.nodes.keys.sorted()[random.below(model.nodes.count)]
        switch random.below(20) {
        case 0, 1, 2: try await create(in: node)
        case 3, 4, 5, 6, 7, 8: try await edit(in: node)
        case 9: try await delete(in: node)
        case 10:
            if random.chance(60) { try await rollBack(node) } else { try await drop(node) }
        case 11, 12, 13: try await push(node)
        case 14, 15: try await save(node)
        default: try await addChild(of: node)
        }
        if looks || random.chance(50) { try await look() }
        try await check(node)
        try await check(model.nodes.keys.sorted()[random.below(model.nodes.count)])
    }

    private mutating func count(_ kind: String, _ details: String) {
        done[kind, default: 0] += 1
        log.append("\(kind) \(details)")
    }

    private func perform(_ step: TreeStep, in node: Int) async throws -> RecordStackError.Code? {
        // Every context has an owner.
        if let actor = owners[node]! { return try await actors[actor].perform(step, in: node) }
        return try await main.perform(step, in: node)
    }

    // MARK: Reading

    /// Makes all contexts merge the current state, so that later checks do not depend on what they
    /// have missed.
    private mutating func look() async throws {
        for node in model.nodes.keys.sorted() {
            let seen =
                if let actor = owners[node]! {
                    try await actors[actor].count(in: node)
                } else { try main.count(in: node) }
            let there = model.shown(node).count
            if seen != there {
                throw TreeDifference(what: "context \(node) counts \(seen), not \(there)")
            }
        }
    }

    mutating func checkAll() async throws {
        for node in model.nodes.keys.sorted() { try await check(node) }
    }

    private mutating func check(_ node: Int) async throws {
        guard model.nodes[node] != nil else { return }
        let way = random.below(5)
        let reading =
            if let actor = owners[node]! {
                try await actors[actor].reading(of: node, way: way)
            } else { try main.reading(of: node, way: way) }
        let expected = TreeReading.expected(model.shown(node), like: reading)
        if reading != expected {
            throw TreeDifference(what: "context \(node), way \(way): \(reading), not \(expected)")
        }
        if let hasChanges = model.hasChanges(node), reading.hasChanges != hasChanges {
            throw TreeDifference(
                what: "context \(node): has changes \(!hasChanges), \(model.nodes[node]!)")
        }
    }

    // MARK: Changing

    private mutating func create(in node: Int) async throws {
        lastNumber += 1
        let values = [random.below(5), random.below(5), random.below(TreeHost.baskets + 1)]
        count("create", "\(lastNumber) \(values) in \(node)")
        _ = try await perform(.create(lastNumber, values), in: node)
        model.create(lastNumber, values, in: node)
    }

    /// Returns the number of an object. Often another context, above or below this one, has changed
    /// the object, because then their changes can conflict.
    private mutating func anyNumber(in node: Int) -> Int? {
        var numbers = model.shown(node).keys.sorted()
        let others = random.chance(60) ? model.relatives(node) : Set(model.nodes.keys)
        let changed = model.numbersChanged(in: others.subtracting([node]))
        if random.chance(60) && numbers.contains(where: changed.contains) {
            numbers = numbers.filter(changed.contains)
        }
        return numbers.isEmpty ? nil : numbers[random.below(numbers.count)]
    }

    private mutating func edit(in node: Int) async throws {
        guard let number = anyNumber(in: node) else { return }
        let place = random.below(looks ? 3 : 2)
        let value = random.below(place == 2 ? TreeHost.baskets + 1 : 5)
        count("edit", "\(number) \(place) \(value) in \(node)")
        _ = try await perform(.edit(number, place, value), in: node)
        model.edit(number, place, value, in: node)
    }

    private mutating func delete(in node: Int) async throws {
        guard let number = anyNumber(in: node) else { return }
        count("delete", "\(number) in \(node)")
        _ = try await perform(.delete(number), in: node)
        model.delete(number, in: node)
    }

    private mutating func rollBack(_ node: Int) async throws {
        count("roll back", "\(node)")
        _ = try await perform(.rollBack, in: node)
        model.rollBack(node)
    }

    // MARK: Contexts

    private mutating func addChild(of node: Int) async throws {
        guard model.nodes.count < Self.mostContexts, model.chain(node).count < Self.mostLevels
        else { return }
        lastNode += 1
        count("child", "\(lastNode) of \(node)")
        _ = try await perform(.addChild(lastNode), in: node)
        add(lastNode, below: node, owner: owners[node]!)
    }

    private mutating func drop(_ node: Int) async throws {
        guard model.nodes[node]!.parent != nil, model.children(node).isEmpty else { return }
        count("drop", "\(node)")
        _ = try await perform(.drop, in: node)
        model.drop(node)
        owners[node] = nil
    }

    // MARK: Pushing and saving

    private mutating func push(_ node: Int) async throws {
        guard model.nodes[node]!.parent != nil else { return }
        let verdict = model.verdict(on: node)
        let code = try await perform(.push, in: node)
        try judge(code, verdict, "push of \(node)")
        if code == nil {
            count("push", "\(node)")
            model.push(node)
            return
        }
        count("refused push", "\(node)")
        try await checkAll()
        try await rollBack(node)
    }

    private mutating func save(_ node: Int) async throws {
        let verdict = model.verdict(onSaving: node)
        let code = try await perform(.save, in: node)
        try judge(code, verdict, "save of \(node)")
        if code == nil {
            count("save", "\(node)")
            model.save(node)
            return
        }
        count("refused save", "\(node)")
        try await checkAll()
        for context in model.chain(node) { try await rollBack(context) }
    }

    private func judge(
        _ code: RecordStackError.Code?, _ verdict: TreeModel.Verdict, _ what: String
    ) throws {
        if let code, code != .conflict { throw TreeDifference(what: "\(what) threw \(code)") }
        if !looks { return }
        switch (verdict, code) {
        case (.succeeds, _?): throw TreeDifference(what: "\(what) was a conflict")
        case (.fails, nil): throw TreeDifference(what: "\(what) was no conflict")
        default: break
        }
    }
}
