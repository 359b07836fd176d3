/// A tree of contexts over a store, as plain dictionaries: what each shows is what its parent shows, under what it has
/// changed itself.
struct TreeModel {
    /// Two numbers, and the number of a box.
    typealias Values = [Int]
    typealias Rows = [Int: Values]

    /// What a context has changed of an object.
    enum Change {
        case created(Values)
        case edited([Int: Edit])
        /// With what was shown before, how often the row had been written, and the ancestors' changes that were shown.
        case deleted(Values, version: Int, origins: Set<Int>)
    }

    /// A changed value.
    struct Edit {
        var value: Int
        /// What was shown before.
        var base: Int
        /// The ancestor's change that was shown; nil for a stored value.
        var origin: Int?
    }

    struct Node {
        let parent: Int?
        var pending: [Int: Change] = [:]
    }

    /// Whether a save or a push may succeed.
    enum Verdict { case succeeds, fails, either }

    private(set) var stored: Rows = [:]
    /// How often each row was written.
    private var versions: [Int: Int] = [:]
    private(set) var nodes: [Int: Node] = [:]
    private var origins = TreeOrigins()

    func below(_ node: Int) -> Rows { nodes[node]!.parent.map(shown) ?? stored }

    /// What a context shows.
    func shown(_ node: Int) -> Rows {
        var rows = below(node)
        for (number, change) in nodes[node]!.pending {
            switch change {
            case .created(let values): rows[number] = values
            case .deleted: rows[number] = nil
            case .edited(let edits):
                // Without a row to lie on, nothing shows.
                guard rows[number] != nil else { continue }
                for (place, edit) in edits { rows[number]![place] = edit.value }
            }
        }
        return rows
    }

    /// Whether a context has changes; nil where all that it had changed is gone below.
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

    /// The contexts above and below one.
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
        // What has its old value again is no change, and shows what is below.
        edits[place] = edit.base == value ? nil : edit
        nodes[node]!.pending[number] = edits.isEmpty ? nil : .edited(edits)
        if edits.isEmpty { origins.end(number, in: node) }
    }

    /// The nearest ancestor's change of a value, on which a change of it rests.
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
            // What lay under an edit was last seen when it was made.
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

    /// What the ancestor furthest up that has changed a value has changed of it; nil where none has.
    private func topmostChange(of number: Int, _ place: Int, above node: Int) -> Change? {
        chain(node).dropFirst().reversed().lazy.compactMap { ancestor -> Change? in
            guard let change = nodes[ancestor]!.pending[number] else { return nil }
            if case .edited(let edits) = change, edits[place] == nil { return nil }
            return change
        }.first
    }

    // MARK: Handing on

    /// Whether what a context has changed fits what is below it.
    /// - Parameter isSave: whether it goes into the store.
    func verdict(on node: Int, isSave: Bool = false) -> Verdict {
        let rows = below(node)
        var verdict = Verdict.succeeds
        for (number, change) in nodes[node]!.pending {
            switch change {
            case .created: continue
            case .deleted(let values, let version, let shown):
                // What both have deleted is deleted.
                guard let row = rows[number] else {
                    // An ancestor's edit of what was given up above it is in conflict itself.
                    if isEdited(number, above: node) { verdict = .either }
                    continue
                }
                let isWritten = versions[number, default: 0] != version
                if isSave && isWritten && row != values && nodes[node]!.parent == nil {
                    return .fails
                }
                // An ancestor may have shown it, or have gone there and back.
                if row != values || isWritten || !shown.isDisjoint(with: origins.givenUp) {
                    verdict = .either
                }
                let isUnseen = row.indices.contains {
                    row[$0] != values[$0] && topmostChange(of: number, $0, above: node) != nil
                }
                // A parent's change is never lost to a deletion that has not seen it.
                if isUnseen { return .fails }
            case .edited(let edits):
                guard let row = rows[number] else { return .fails }
                // A change rests on the value that it was made of, whoever has set that.
                if edits.contains(where: { row[$0] != $1.base }) { return .fails }
                // An equal value is no substitute for one that was given up.
                let rests = Set(edits.values.compactMap(\.origin))
                if !rests.isDisjoint(with: origins.givenUp) { return .fails }
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
        // What one changed and another changed back is written as well.
        let written = Set(chain.flatMap(numbersEdited))
        for context in chain { nodes[context]!.pending = [:] }
        restOnStore(chain.reduce(into: []) { $0.formUnion(origins.save(in: $1)) })
        stored = rows
        for number in rows.keys where old[number] == nil || written.contains(number) {
            versions[number, default: 0] += 1
        }
    }

    /// Changes of what was saved rest on the store.
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

    /// The objects of which a context has edited something.
    private func numbersEdited(in node: Int) -> [Int] {
        nodes[node]!.pending.compactMap { number, change in
            if case .edited = change { number } else { nil }
        }
    }

    mutating func push(_ node: Int) {
        // A parent has whatever a child pushes.
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
