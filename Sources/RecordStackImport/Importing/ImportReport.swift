/// The result of an import.
///
/// ```swift
/// let report = try await stack.saveWithBlock { try Person.importJSON(data, in: $0) }
/// print("\(report.inserted) new, \(report.updated) changed, \(report.unchanged) as before")
/// for problem in report.problems { print(problem) }
/// ```
///
/// Every row is counted once: as inserted, updated, unchanged, declined, or skipped.
public struct ImportReport: Sendable, Hashable {
    /// The number of rows that became new objects.
    public internal(set) var inserted = 0
    /// The number of rows that changed an existing object, stored or pending.
    public internal(set) var updated = 0
    /// The number of rows whose objects already had all values of the row.
    public internal(set) var unchanged = 0
    /// The number of rows that a hook declined: see ``Importable/shouldImport(_:)``.
    public internal(set) var declined = 0
    /// The number of objects that `deletingOthers:` deleted because no row described them.
    public internal(set) var deleted = 0
    /// The number of rows that the import skipped. The report has a problem for each skipped row.
    public internal(set) var skipped = 0
    /// The values and rows that could not be imported, in the order of the rows.
    public internal(set) var problems: [ImportProblem] = []

    /// Creates an empty report.
    package init() {}

    /// The number of rows.
    public var rows: Int { inserted + updated + unchanged + declined + skipped }

    /// Adds the counts and problems of another part of the import.
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
    /// The number of the row, counted from 0.
    public let row: Int
    /// The key path in the row; empty for the row as a whole.
    public let path: String
    /// The name of the property; nil if the problem concerns no single property.
    public let property: String?
    /// A sentence that says what is wrong.
    public let message: String
    /// Whether the whole row was skipped.
    ///
    /// If false, the import left out only a property or a nested object.
    public let isRowSkipped: Bool

    /// The row, the path and the message as text.
    public var description: String {
        let location = path.isEmpty ? "Row \(row)" : "Row \(row), \(path)"
        return "\(location): \(message)" + (isRowSkipped ? " The row was left out." : "")
    }
}

/// The progress of an import.
public struct ImportProgress: Sendable, Hashable {
    /// The number of rows that were imported or skipped so far.
    public let rows: Int
    /// The number of bytes that the import has read so far.
    public let bytes: Int
    /// The number of bytes in the source.
    ///
    /// Nil if the number is unknown, as with a stream, or if the source does not consist of bytes.
    public let totalBytes: Int?
    /// The number of rows in the source; nil if it is unknown.
    public let totalRows: Int?

    /// The fraction of the import that is done, from 0 to 1; nil if it is unknown.
    public var fraction: Double? {
        if let totalRows { return totalRows == 0 ? 1 : Double(rows) / Double(totalRows) }
        return totalBytes.map { $0 == 0 ? 1 : Double(bytes) / Double($0) }
    }
}
