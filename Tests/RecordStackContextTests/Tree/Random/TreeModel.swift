/// A plain model of a tree of contexts over a store. Each context shows the rows of its parent with
/// its own changes.
struct TreeModel {
    /// Two numbers, and the number of a basket.
    typealias Values = [Int]
    typealias Rows = [Int: Values]

    /// A context's change of an object.
    enum Change {
        case created(Values)
        case edited([Int: Edit])
        /// A deletion, with the values that were shown before, the number of times that the row had
        /// been written, and the ancestors' changes that were shown.
        case deleted(Values, version: Int, origins: Set<Int>)
    }

    /// A changed value.
    struct Edit {
        var value: Int
        /// The value that was shown before the change.
        var base: Int
        /// The ancestor's change that was shown, or nil for a stored value.
        var origin: Int?
    }

    struct Node {
        let parent: Int?
        var pending: [Int: Change] = [:]
    }

    /// The expected result of a save or push.
    enum Verdict { case succeeds, fails, either }

    private(set) var stored: Rows = [:]
    /// The number of times that each row was written.
    private var versions: [Int: Int] = [:]
    private(set) var nodes: [Int: Node] = [:]
    private var origins = TreeOrigins()

    func below(_ node: Int) -> Rows { nodes[node]!.parent.map(shown) ?? stored }

    /// Returns the rows that a context shows.
    func shown(_ node: Int) -> Rows {
        var rows = below(node)
        for (number, change) in nodes[node]!.pending {
            switch change {
            case .created(let values): rows[number] = values
            case .deleted: rows[number] = nil
            case .edited(let edits):
                // An edit of a missing row shows nothing.
                guard rows[number] != nil else { continue }
                for (place, edit) in edits { rows[number]![place] = edit.value }
            }
        }
        return rows
    }

    /// Returns true if a context has changes. Returns nil if all rows that it changed are gone
    /// below it, because then either answer is right.
    func hasChanges(_ node: Int) -> Bool? {
        let pending = nodes[node]!.pending
        if pending.isEmpty { return false }
        let rows = below(node)
        let isSure = pending.contains { number, change in
            if case .created = change { true } else { rows[number] != nil }
        }
        return isSure ? true : nil
    }

    func chain(_ node: Int) -> [Int] { [node] + (nodes[node]!.parent.map(chain) ?? []) }

    func children(_ node: Int) -> [Int] { nodes.keys.filter { nodes[$0]!.parent == node } }

    /// Returns a context and all contexts above and below it.
    func relatives(_ node: Int) -> Set<Int> {
        Set(chain(node)).union(nodes.keys.filter { chain($0).contains(node) })
    }

    func numbersChanged(in contexts: Set<Int>) -> Set<Int> {
        contexts.reduce(into: []) { $0.formUnion(nodes[$1]!.pending.keys) }
    }

    // MARK: Contexts

    mutating func add(_ node: Int, below parent: Int?) { nodes[node] = Node(parent: parent) }

    mutating func drop(_ node: Int) { nodes[node] = nil }

    // MARK: Changes

    mutating func create(_ number: Int, _ values: Values, in node: Int) {
        nodes[node]!.pending[number] = .created(values)
    }

    mutating func edit(_ number: Int, _ place: Int, _ value: Int, in node: Int) {
        var edits: [Int: Edit] = [:]
        switch nodes[node]!.pending[number] {
        case .created(var values)?:
            values[place] = value
            nodes[node]!.pending[number] = .created(values)
            return
        case .deleted?: return
        case .edited(let known)?: edits = known
        case nil: break
        }
        var edit =
            edits[place]
            ?? Edit(
                value: value, base: below(node)[number]![place],
                origin: origin(of: number, place, above: node))
        edit.value = value
        // A value set back to its base is no change, and the value below shows again.
        edits[place] = edit.base == value ? nil : edit
        nodes[node]!.pending[number] = edits.isEmpty ? nil : .edited(edits)
        if edits.isEmpty { origins.end(number, in: node) }
    }

    /// Returns the nearest ancestor's change of a value, on which an edit of the value is based.
    private mutating func origin(of number: Int, _ place: Int, above node: Int) -> Int? {
        let nearest = chain(node).dropFirst().first { ancestor in
            switch nodes[ancestor]!.pending[number] {
            case .created?: true
            case .edited(let edits)?: edits[place] != nil
            case .deleted?, nil: false
            }
        }
        return nearest.map { origins.origin(of: number, in: $0) }
    }

    mutating func delete(_ number: Int, in node: Int) {
        if case .created? = nodes[node]!.pending[number] {
            nodes[node]!.pending[number] = nil
        } else {
            var seen = below(node)[number]!
            // The value below an edit was last seen when the edit was made.
            if case .edited(let edits)? = nodes[node]!.pending[number] {
                for (place, edit) in edits { seen[place] = edit.base }
            }
            let shown = Set(seen.indices.compactMap { origin(of: number, $0, above: node) })
            nodes[node]!.pending[number] = .deleted(
                seen, version: versions[number, default: 0], origins: shown)
        }
    }

    mutating func rollBack(_ node: Int) {
        nodes[node]!.pending = [:]
        origins.giveUp(in: node)
    }

    /// Returns the change of a value in the topmost ancestor that has changed it, or nil.
    private func topmostChange(of number: Int, _ place: Int, above node: Int) -> Change? {
        chain(node).dropFirst().reversed().lazy.compactMap { ancestor -> Change? in
            guard let change = nodes[ancestor]!.pending[number] else { return nil }
            if case .edited(let edits) = change, edits[place] == nil { return nil }
            return change
        }.first
    }

    // MARK: Pushing and saving

    /// Returns the expected result of pushing or saving a context's changes.
    /// - Parameter isSave: true if the changes go into the store.
    func verdict(on node: Int, isSave: Bool = false) -> Verdict {
        let rows = below(node)
        var verdict = Verdict.succeeds
        for (number, change) in nodes[node]!.pending {
            switch change {
            case .created: continue
            case .deleted(let values, let version, let shown):
                // If both sides have deleted an object, there is no conflict.
                guard let row = rows[number] else {
                    // An ancestor's edit of a row that is gone above it is in conflict itself.
                    if isEdited(number, above: node) { verdict = .either }
                    continue
                }
                let isWritten = versions[number, default: 0] != version
                if isSave && isWritten && row != values && nodes[node]!.parent == nil {
                    return .fails
                }
                // An ancestor may have shown the row, or may have changed it and changed it back.
                if row != values || isWritten || !shown.isDisjoint(with: origins.discarded) {
                    verdict = .either
                }
                let isUnseen = row.indices.contains {
                    row[$0] != values[$0] && topmostChange(of: number, $0, above: node) != nil
                }
                // A deletion never overrides a parent's change that it has not seen.
                if isUnseen { return .fails }
            case .edited(let edits):
                guard let row = rows[number] else { return .fails }
                // An edit needs the value on which it is based, whoever has set that value.
                if edits.contains(where: { row[$0] != $1.base }) { return .fails }
                // An equal value does not replace a base that was given up.
                let rests = Set(edits.values.compactMap(\.origin))
                if !rests.isDisjoint(with: origins.discarded) { return .fails }
                if !rests.isDisjoint(with: origins.perhapsGivenUp) { verdict = .either }
            }
        }
        return verdict
    }

    private func isEdited(_ number: Int, above node: Int) -> Bool {
        chain(node).dropFirst().contains {
            if case .edited? = nodes[$0]!.pending[number] { true } else { false }
        }
    }

    func verdict(onSaving node: Int) -> Verdict {
        let verdicts = chain(node).map { verdict(on: $0, isSave: true) }
        if verdicts.contains(.fails) { return .fails }
        return verdicts.contains(.either) ? .either : .succeeds
    }

    mutating func save(_ node: Int) {
        let (rows, old, chain) = (shown(node), stored, chain(node))
        // An object that one context changed and another changed back is written as well.
        let written = Set(chain.flatMap(numbersEdited))
        for context in chain { nodes[context]!.pending = [:] }
        restOnStore(chain.reduce(into: []) { $0.formUnion(origins.save(in: $1)) })
        stored = rows
        for number in rows.keys where old[number] == nil || written.contains(number) {
            versions[number, default: 0] += 1
        }
    }

    /// Bases changes of the saved objects on the store.
    private mutating func restOnStore(_ saved: Set<Int>) {
        for (node, number) in nodes.flatMap({ node in node.value.pending.keys.map { (node.key, $0) }
        }) {
            guard case .edited(var edits)? = nodes[node]!.pending[number] else { continue }
            for (place, edit) in edits where edit.origin.map(saved.contains) == true {
                edits[place]!.origin = nil
            }
            nodes[node]!.pending[number] = .edited(edits)
        }
    }

    /// Returns the objects that a context has edited.
    private func numbersEdited(in node: Int) -> [Int] {
        nodes[node]!.pending.compactMap { number, change in
            if case .edited = change { number } else { nil }
        }
    }

    mutating func push(_ node: Int) {
        // The parent has every object that its child pushes.
        let parent = nodes[node]!.parent!
        for (number, change) in nodes[node]!.pending {
            switch change {
            case .created(let values): create(number, values, in: parent)
            case .deleted: if shown(parent)[number] != nil { delete(number, in: parent) }
            case .edited(let edits):
                if shown(parent)[number] == nil { continue }
                for (place, edit) in edits { self.edit(number, place, edit.value, in: parent) }
            }
            origins.push(
                number, from: node, to: parent,
                isChange: nodes[parent]!.pending[number] != nil)
        }
        nodes[node]!.pending = [:]
    }
}
