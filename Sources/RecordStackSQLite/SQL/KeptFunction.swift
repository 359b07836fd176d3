import CSQLite
import RecordStackModel

/// Whether a row is kept whose key is not in a set of keys: a function of SQL, called for each row that an index yields.
enum KeptFunction {
    private static let name = SQLFunction.prefix + "KEPT"
    private static let type: StaticString = "RecordStack keys"

    /// What the set is bound as. SQLite compares the text and keeps its address.
    static var pointerType: UnsafePointer<CChar> {
        // A literal of the program, which ends with a zero.
        UnsafeRawPointer(type.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    /// Most rows are kept: the planner is told, or it would take each for one of few.
    /// - Parameter key: the column of the row's key.
    static func sql(_ key: String) -> String { "likely(\(name)(?,\(key)))" }

    static func install(on handle: OpaquePointer) -> Int32 {
        sqlite3_create_function_v2(
            handle, name, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
            { context, _, arguments in
                let key = sqlite3_value_int64(arguments?[1])
                sqlite3_result_int(context, KeptFunction.isKept(key, arguments?[0]) ? 1 : 0)
            }, nil, nil, nil)
    }

    private static func isKept(_ key: Int64, _ set: OpaquePointer?) -> Bool {
        guard let keys = sqlite3_value_pointer(set, pointerType) else { return true }
        // What is bound under this type is the reference of a set, which the statement holds.
        return !KeySet.isKey(key, in: Unmanaged<AnyObject>.fromOpaque(keys))
    }
}
