import RecordStackModel

/// The rows that a context holds, to find out which of them are newer in the store, or gone.
///
/// The comparison is necessary if the log has dropped commits. This type is a value, so any thread
/// can compare it.
struct HeldRowVersions: Sendable {
    /// The number of comparisons that were requested when the rows were collected.
    let demand: Int
    /// The versions of the held rows, by hierarchy and key.
    var versions: [Int: [Int64: RowVersion]] = [:]
    /// The keys of objects that an ancestor was to insert when this context read it, by hierarchy.
    var inserted: [Int: [Int64]] = [:]
    /// The keys of objects that are not held, but to which changes refer, by hierarchy.
    var referred: [Int: Set<Int64>] = [:]

    /// Compares all rows with the store at one moment.
    ///
    /// The comparison runs at most three statements for each hierarchy.
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

/// The result of a comparison of ``HeldRowVersions``.
struct NewerRows: Sendable {
    /// The newer rows of one entity.
    struct Rows: Sendable {
        let entity: Int
        var heads: [(key: Int64, version: RowVersion)] = []
        let values: RowBatch
    }

    var rows: [Rows] = []
    /// The keys of held rows that are gone, by hierarchy.
    var gone: [Int: [Int64]] = [:]
    var goneReferred: [Int: Set<Int64>] = [:]
    /// The keys of inserted objects that are stored by now, by hierarchy.
    var stored: [Int: Set<Int64>] = [:]
}

/// Copies the rows that are newer than the held ones.
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
