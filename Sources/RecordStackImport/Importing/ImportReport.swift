/// What came of an import.
///
/// ```swift
/// let report = try await stack.saveWithBlock { try Person.importJSON(data, in: $0) }
/// print("\(report.inserted) new, \(report.updated) changed, \(report.unchanged) as before")
/// for problem in report.problems { print(problem) }
/// ```
///
/// Every row is counted once: as inserted, updated, unchanged, declined, or skipped.
public struct ImportReport: Sendable, Hashable {
    /// Rows that became new objects.
    public internal(set) var inserted = 0
    /// Rows that changed an object, stored or pending.
    public internal(set) var updated = 0
    /// Rows that said of an object what it had already.
    public internal(set) var unchanged = 0
    /// Rows that a hook did not want: see ``Importable/shouldImport(_:)``.
    public internal(set) var declined = 0
    /// Objects that no row was of, and that were deleted for that: where that was asked for.
    public internal(set) var deleted = 0
    /// Rows that were left out; each has a problem.
    public internal(set) var skipped = 0
    /// What did not fit, in the order of the rows.
    public internal(set) var problems: [ImportProblem] = []

    /// Nothing yet.
    package init() {}

    /// How many rows there were.
    public var rows: Int { inserted + updated + unchanged + declined + skipped }

    /// Counts what another part of the import has counted.
    mutating func add(_ other: ImportReport) {
        inserted += other.inserted
        updated += other.updated
        unchanged += other.unchanged
        declined += other.declined
        deleted += other.deleted
        skipped += other.skipped
        problems += other.problems
    }
}

/// A value, or a whole row, that could not be imported.
public struct ImportProblem: Sendable, Hashable, CustomStringConvertible {
    /// The row, from 0.
    public let row: Int
    /// The key path in the row; empty for the row as a whole.
    public let path: String
    /// The property concerned.
    public let property: String?
    /// What was wrong.
    public let message: String
    /// Whether the whole row was left out. Otherwise the property alone keeps its value.
    public let isRowSkipped: Bool

    /// A sentence.
    public var description: String {
        let location = path.isEmpty ? "Row \(row)" : "Row \(row), \(path)"
        return "\(location): \(message)" + (isRowSkipped ? " The row was left out." : "")
    }
}

/// How far an import has come.
public struct ImportProgress: Sendable, Hashable {
    /// Rows that were imported or skipped.
    public let rows: Int
    /// Bytes that were read.
    public let bytes: Int
    /// Bytes that there are; nil where nobody knows, as with a stream, and where the source has no bytes.
    public let totalBytes: Int?
    /// Rows that there are; nil where nobody knows.
    public let totalRows: Int?

    /// The part that is done, from 0 to 1; nil where nobody knows.
    public var fraction: Double? {
        if let totalRows { return totalRows == 0 ? 1 : Double(rows) / Double(totalRows) }
        return totalBytes.map { $0 == 0 ? 1 : Double(bytes) / Double($0) }
    }
}
