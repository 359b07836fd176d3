package import RecordStackModel

// A push hands over what is left of the child's changes, and a save writes what is left of a level's.
extension ChangeSet {
    /// The changes that resolutions leave, each still made on its own base.
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
            // An update changes nothing if the other side's values are taken for all of its slots.
            if let left, left.kind != .updated || !left.slots.isEmpty {
                result.append(left, of: row.key)
            }
        }
        return result
    }
}
