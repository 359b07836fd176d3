/// The statements that an expectation counts.
///
/// ```swift
/// try await test.expectStatements(0, .writes) { try await context.save() }
/// ```
public enum StatementKind: Sendable, Hashable {
    /// All statements, including those that begin and end transactions.
    case all
    /// Statements that read rows of entities: `SELECT`.
    ///
    /// The store's internal statements are excluded.
    case reads
    /// Statements that write rows of entities: `INSERT`, `UPDATE` and `DELETE`.
    ///
    /// The one or two internal statements that the store runs in each save are excluded.
    case writes

    func includes(_ sql: String) -> Bool {
        switch self {
        case .all: true
        case .reads: Self.begins(sql, ["SELECT", "WITH"])
        case .writes: Self.begins(sql, ["INSERT", "REPLACE", "UPDATE", "DELETE"])
        }
    }

    /// Returns the phrase for a number of such statements, after "Expected".
    func name(_ count: Int) -> String {
        let statements = count == 1 ? "statement" : "statements"
        return switch self {
        case .all: statements
        case .reads: "\(statements) that \(count == 1 ? "reads" : "read")"
        case .writes: "\(statements) that \(count == 1 ? "writes" : "write")"
        }
    }

    private static func begins(_ sql: String, _ verbs: [String]) -> Bool {
        verbs.contains { sql.hasPrefix($0 + " ") } && !sql.contains(bookkeeping)
    }

    /// The table with the store's own bookkeeping.
    private static let bookkeeping = "\"_recordstack\""
}
