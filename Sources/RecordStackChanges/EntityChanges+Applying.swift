package import RecordStackModel

// A push hands the remaining changes of the child to its parent, and a save writes the remaining
// changes of each layer.
extension ChangeSet {
    /// Returns the changes that remain after resolutions, each still on its own base.
    package func applying(_ resolutions: [RowKey: Resolution], over theirs: [RowKey: RowEdit])
        -> ChangeSet
    {
        if resolutions.isEmpty { return self }
        return ChangeSet(
            entities: entities.map { $0.applying(resolutions, over: theirs) }, links: links,
            isTruncated: isTruncated)
    }

    /// Whether the changes insert or update a row.
    package func writes(_ key: Int64, entity: Int) -> Bool {
        entities.contains { changes in
            changes.entity == entity
                && (changes.updates.contains { $0.key == key }
                    || changes.insertedKeys.contains(key))
        }
    }
}

extension EntityChanges {
    fileprivate func applying(
        _ resolutions: [RowKey: Resolution], over theirs: [RowKey: RowEdit]
    ) -> EntityChanges {
        var result = withoutRows
        forEachEdit { row, edit in
            guard let resolution = resolutions[row] else { return result.append(edit, of: row.key) }
            let left = edit.applying(resolution, over: theirs[row]?.asTheirs())
            if result.reinsertedVersions[row.key] != nil {
                result.reinsertedVersions[row.key] = left?.version
                result.updatesOfDeleted[row.key] = left.map { ($0.slots, $0.base) }
            }
            // If the update takes the other side's values for all of its slots, nothing
            // remains of it.
            if let left, left.kind != .updated || !left.slots.isEmpty {
                result.append(left, of: row.key)
            }
        }
        return result
    }
}
