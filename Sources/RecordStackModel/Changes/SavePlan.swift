/// The statements of a save, decided before the first one runs.
///
/// Row deletions come first, then updates, then insertions, so that a unique value is free before
/// another row takes it. If updates swap unique values, some of the rows first get a placeholder
/// that no other row can have. The update of the row then replaces the placeholder.
package struct SavePlan: Sendable {
    package enum Step: Sendable {
        case delete(EntityChanges)
        /// Sets a placeholder in a slot for each update whose old value another update takes.
        ///
        /// `updates` contains the indices of these updates.
        case setPlaceholders(EntityChanges, slot: Int, updates: [Int])
        case update(EntityChanges)
        case insert(EntityChanges)
        case unlink(LinkChanges)
        /// Adds join rows, then changes the positions of existing ones.
        case link(LinkChanges)
    }

    package let steps: [Step]
    package let changes: ChangeSet

    package init(changes: ChangeSet, model: ManagedObjectModel) {
        var steps: [Step] = changes.links.filter { !$0.removed.isEmpty }.map { .unlink($0) }
        let entities = changes.entities
        for index in entities.indices where !entities[index].deletions.isEmpty {
            steps.append(.delete(entities[index]))
        }
        if entities.indices.contains(where: { !entities[$0].updates.isEmpty }) {
            steps += UniqueValueSwaps(changes: changes, model: model).steps
        }
        for index in entities.indices where !entities[index].updates.isEmpty {
            steps.append(.update(entities[index]))
        }
        for index in entities.indices where !entities[index].insertedKeys.isEmpty {
            steps.append(.insert(entities[index]))
        }
        for links in changes.links where !links.added.isEmpty || !links.moved.isEmpty {
            steps.append(.link(links))
        }
        self.steps = steps
        self.changes = changes
    }
}

extension SavePlan: CustomStringConvertible {
    package var description: String {
        steps.map { step in
            switch step {
            case .delete(let changes):
                "delete \(changes.deletions.count) of entity \(changes.entity)"
            case .setPlaceholders(let changes, let slot, let updates):
                "set \(updates.count) placeholders in slot \(slot) of entity \(changes.entity)"
            case .update(let changes): "update \(changes.updates.count) of entity \(changes.entity)"
            case .insert(let changes):
                "insert \(changes.insertedKeys.count) of entity \(changes.entity)"
            case .unlink(let changes):
                "remove \(changes.removed.count) rows from join table \(changes.joinTable)"
            case .link(let changes):
                "add \(changes.added.count) rows to join table \(changes.joinTable), and move "
                    + "\(changes.moved.count)"
            }
        }.joined(separator: "\n")
    }
}
