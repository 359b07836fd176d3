import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// Objects that two sides change: all cases of one property under one policy.
struct MergeScene {
    let way: MergeWay
    let property: MergedProperty
    let cases: [MergeCase]
    private let test: TestStack
    private let foreign: ContextStack
    /// The context whose changes are ours, and its parent if it has one.
    private let context: ManagedObjectContext
    private let parent: ManagedObjectContext?
    private var pots: [Pot] = []

    init(
        _ way: MergeWay, _ property: MergedProperty, _ cases: [MergeCase],
        flagObserver: (@Sendable (String, String, String) -> Void)? = nil
    ) throws {
        (self.way, self.property, self.cases) = (way, property, cases)
        var options = StoreOptions()
        options.remoteSaveInterval = nil
        options.watching.warnsAtExit = false
        options.watching.flagObserver = flagObserver
        let entities: [ManagedObject.Type] = [Pot.self, Rack.self, Lid.self]
        let isForeign = way == .save
        test = try TestStack(
            entities: entities, at: isForeign ? .temporaryFile : .memory, options: options)
        foreign =
            try test.path.map { path in
                try ContextStack(entities: entities, at: .file(path), options: options)
            } ?? test.stack
        let top = test.stack.newContext(name: "top")
        (context, parent) = way.hasParent ? (top.newChild(name: "child"), top) : (top, nil)
        try test.seed { context in
            for name in ["a", "b"] { try Rack.create(in: context, name: name) }
            for (number, merge) in cases.enumerated() {
                if property.name == "lid" {
                    for name in ["a", "b"] { try Lid.create(in: context, name: "\(name)\(number)") }
                }
                try property.set(try Pot.create(in: context, number: number), merge.base)
            }
        }
        pots = try Pot.find(sortedBy: .ascending(\.number), in: context)
        // At its second operation, a stack looks once for saves of other stacks. This happens here,
        // before there are any.
        _ = try Pot.count(in: context)
        test.stack.coordinator.waitForCheckpoint()
    }

    /// Makes our changes, then theirs.
    func change() throws {
        for (pot, merge) in zip(pots, cases) { try change(pot, merge.ours, \.mine, merge) }
        guard let parent, way.isAgainstParent else { return try commitTheirs() }
        for (pot, merge) in zip(try Self.pots(in: parent), cases) {
            try change(pot, merge.theirs, \.other, merge)
        }
    }

    private func change(
        _ pot: Pot, _ change: MergeCase.Change, _ own: ReferenceWritableKeyPath<Pot, Int>,
        _ merge: MergeCase
    ) throws {
        switch change {
        case .none: break
        case .sets(let place): try property.set(pot, place)
        case .deletes: return try pot.delete()
        case .bringsBack: return
        }
        if merge.isWide { pot[keyPath: own] = 1 }
    }

    private func commitTheirs() throws {
        let back = foreign.newContext()
        for (pot, merge) in zip(try Self.pots(in: back), cases) where merge.theirs == .bringsBack {
            pot.other = 1
        }
        let context = foreign.newContext()
        for (pot, merge) in zip(try Self.pots(in: context), cases) {
            try change(pot, merge.theirs, \.other, merge)
            if merge.theirs == .bringsBack { try pot.delete() }
        }
        try context.saveAndWait()
        try back.saveAndWait(mergePolicy: .objectTrump)
    }

    private static func pots(in context: ManagedObjectContext) throws -> [Pot] {
        try Pot.find(sortedBy: .ascending(\.number), in: context)
    }

    // MARK: Outcomes

    /// Returns the state of each object after its context has merged the other side's changes.
    func merged() throws -> [String] {
        _ = try Pot.count(in: context)
        return zip(pots, cases).map { pot, merge in
            let base = pot.committedValues()[property.name]
            return cell(pot, merge) + (base.map { " on \(name(of: $0))" } ?? "")
        }
    }

    /// Returns the case's name for a base value. The related objects alternate between `a` and `b`.
    private func name(of base: StoredValue) -> String {
        guard property.isRelationship, case .integer(let key) = base else { return "\(base)" }
        return key % 2 == 1 ? "a" : "b"
    }

    /// Merges both sides under a policy, and returns the outcome for each object.
    func decided(by policy: MergePolicy?) throws -> [String] {
        let given = property.given
        let policy =
            policy
            ?? .custom { $0.objectID.entityName == "Pot" ? .values(given) : .objectTrump }
        var refused: [String?] = pots.map { _ in nil }
        while let error = try conflict(policy) {
            var found: [Int: [String]] = [:]
            for conflict in error.conflicts {
                found[try place(of: conflict), default: []].append(Self.text(of: conflict))
            }
            for (place, texts) in found where refused[place] == nil {
                let text = texts.sorted().joined(separator: " ")
                refused[place] = "\(text): \(cell(pots[place], cases[place]))"
            }
            for conflict in error.conflicts {
                try context.refresh(object(conflict.objectID), mergingChanges: false)
            }
        }
        // From here on, objects without local changes show the other stack's values.
        if way == .save { _ = try Pot.find(in: context) }
        var result: [String] = []
        // A push does not change the store.
        var contexts = way.isPush ? [] : [test.stack.newContext()]
        if let parent { contexts.insert(parent, at: 0) }
        for (place, merge) in cases.enumerated() {
            if let refused = refused[place] {
                result.append(refused)
                continue
            }
            var cells = [cell(pots[place], merge)]
            for context in contexts {
                let pot = try Pot.findFirst(by: \.number, place, in: context)
                cells.append(pot.map { cell($0, merge) } ?? "gone")
            }
            result.append(Set(cells).count == 1 ? cells[0] : cells.joined(separator: ","))
        }
        return result
    }

    private func conflict(_ policy: MergePolicy) throws -> RecordStackError? {
        do {
            if way.isPush {
                try context.push(mergePolicy: policy)
            } else {
                try context.saveAndWait(mergePolicy: policy)
            }
            return nil
        } catch let error as RecordStackError where error.code == .conflict {
            return error
        }
    }

    private func object(_ id: ManagedObjectID) throws -> ManagedObject {
        try #require(
            context.registeredObject(id) ?? context.deletedObjects.first { $0.objectID == id })
    }

    /// Returns the index of the case that a conflict belongs to.
    private func place(of conflict: MergeConflict) throws -> Int {
        if let lid = try object(conflict.objectID) as? Lid {
            return try #require(Int(lid.name.dropFirst()))
        }
        return try #require(pots.firstIndex { $0.objectID == conflict.objectID })
    }

    private static func text(of conflict: MergeConflict) -> String {
        switch conflict.kind {
        case .changedOnBothSides:
            "!" + conflict.properties.map(\.name).sorted().joined(separator: "+")
        case .deletedElsewhere: "!there"
        case .deletedHere: "!here"
        }
    }

    /// Returns the state of an object in the notation of `MergeCorpusTests`.
    private func cell(_ pot: Pot, _ merge: MergeCase) -> String {
        switch pot.objectState {
        case .detached: return "gone"
        case .deleted: return "deleted" + (pot.hasChanges ? "*" : "")
        case .pending, .persistent: break
        }
        var text = property.read(pot)
        if pot.mine == MergedProperty.givenMine {
            text += "+given"
        } else if merge.isWide && pot.mine != 1 {
            text += "-mine"
        }
        if merge.isWide || merge.theirs == .bringsBack, pot.other != 1 { text += "-other" }
        return text + (pot.hasChanges ? "*" : "")
    }
}
