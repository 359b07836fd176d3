import CSQLite

/// Extended result codes, which C defines by expressions that Swift does not import.
enum ResultCode {
    static let foreignKey = SQLITE_CONSTRAINT | (3 << 8)
    static let notNull = SQLITE_CONSTRAINT | (5 << 8)
    static let primaryKey = SQLITE_CONSTRAINT | (6 << 8)
    static let readOnlyRollback = SQLITE_READONLY | (3 << 8)
    static let unique = SQLITE_CONSTRAINT | (8 << 8)
}
