/// Which statements an expectation counts.
///
/// ```swift
/// try await test.expectStatements(0, .writes) { try await context.save() }
/// ```
public enum StatementKind: Sendable, Hashable {
    /// Every statement, those that begin and end transactions among them.
    case all
    /// Statements that read rows of entities: `SELECT`. The store's own bookkeeping is left out.
    case reads
    /// Statements that write rows of entities: `INSERT`, `UPDATE` and `DELETE`. The store's own
    /// bookkeeping, a statement or two in each save, is left out.
    case writes

    func includes(_ sql: String) -> Bool {
        switch self {
        case .all: true
        case .reads: Self.begins(sql, ["SELECT", "WITH"])
        case .writes: Self.begins(sql, ["INSERT", "REPLACE", "UPDATE", "DELETE"])
        }
    }

    /// What follows "Expected": how a number of such statements is called.
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

    /// The table in which the store keeps what it needs itself.
    private static let bookkeeping = "\"_recordstack\""
}
