import RecordStackModel

/// What a context holds of the store, as a question: which of these rows are newer by now, and which are gone.
///
/// It is asked where too much was committed to keep it all. A value, so that any thread can ask it.
struct HeldRowVersions: Sendable {
    /// How often the context had been told to ask.
    let demand: Int
    /// The versions of the rows that are held, by key, for each hierarchy.
    var versions: [Int: [Int64: RowVersion]] = [:]
    /// Objects that an ancestor has inserted, for all that this context has read, by hierarchy.
    var inserted: [Int: [Int64]] = [:]
    /// Objects that are not held, to which something refers that was changed, by hierarchy.
    var referred: [Int: Set<Int64>] = [:]

    /// Asks for all of it as it is at one moment: one statement for each hierarchy, and one for each that is
    /// referred to.
    func compare(with reader: any StoreReader, _ model: ManagedObjectModel) throws -> NewerRows {
        var answer = NewerRows()
        try reader.beginTransaction()
        for (hierarchy, versions) in versions {
            let sink = NewerRowSink(than: versions)
            let root = model.hierarchies[hierarchy].root
            try reader.rows(.keys(Array(versions.keys), entity: root), into: sink)
            answer.rows += sink.rows.values
            answer.gone[hierarchy] = versions.keys.filter { !sink.found.contains($0) }
        }
        func stored(_ keys: [Int64], _ hierarchy: Int) throws -> Set<Int64> {
            let sink = NewerRowSink(than: [:])
            try reader.keys(.keys(keys, entity: model.hierarchies[hierarchy].root), into: sink)
            return sink.found
        }
        for (hierarchy, keys) in inserted { answer.stored[hierarchy] = try stored(keys, hierarchy) }
        for (hierarchy, keys) in referred {
            answer.goneReferred[hierarchy] = try keys.subtracting(stored(Array(keys), hierarchy))
        }
        return answer
    }
}

/// What was found of ``HeldRowVersions``.
struct NewerRows: Sendable {
    /// Rows of one entity.
    struct Rows: Sendable {
        let entity: Int
        var heads: [(key: Int64, version: RowVersion)] = []
        let values: RowBatch
    }

    var rows: [Rows] = []
    /// The keys of rows that are not there any more, by hierarchy.
    var gone: [Int: [Int64]] = [:]
    var goneReferred: [Int: Set<Int64>] = [:]
    /// The keys of inserted objects that are stored by now, by hierarchy.
    var stored: [Int: Set<Int64>] = [:]
}

/// Copies the rows that are newer than the ones that are held.
private final class NewerRowSink: RowSink {
    private let versions: [Int64: RowVersion]
    private(set) var found: Set<Int64> = []
    private(set) var rows: [Int: NewerRows.Rows] = [:]

    init(than versions: [Int64: RowVersion]) {
        self.versions = versions
    }

    func wants(key: Int64, version: RowVersion, entity: Int) -> Bool {
        found.insert(key)
        return versions[key].map { $0 < version } ?? false
    }

    func row(_ cells: borrowing RowCells, key: Int64, version: RowVersion, entity: Int) throws {
        if rows[entity] == nil {
            rows[entity] = NewerRows.Rows(entity: entity, values: RowBatch(width: cells.count))
        }
        rows[entity]?.heads.append((key, version))
        rows[entity]?.values.append(copying: cells)
    }
}
