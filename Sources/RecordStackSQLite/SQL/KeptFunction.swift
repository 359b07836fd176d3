import CSQLite
import RecordStackModel

/// The SQL function `RECORDSTACK_KEPT(set, key)`: 1 if a key is not in a bound ``KeySet``.
///
/// SQLite calls it for each row that an index yields.
enum KeptFunction {
    private static let name = SQLFunction.prefix + "KEPT"
    /// The name of the pointer type, which is short because SQLite compares it by its text.
    private static let type: StaticString = "RS"

    /// The type of the bound pointer. SQLite retains its address.
    static var pointerType: UnsafePointer<CChar> {
        // A static string literal is zero-terminated and never freed.
        UnsafeRawPointer(type.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    /// Returns a call of the function. `likely` tells the query planner that most rows are kept.
    ///
    /// - Parameter key: the column of the row's key.
    static func sql(_ key: String) -> String { "likely(\(name)(?,\(key)))" }

    static func install(on handle: OpaquePointer) -> Int32 {
        sqlite3_create_function_v2(
            handle, name, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
            { context, _, arguments in
                let key = sqlite3_value_int64(arguments?[1])
                let keys = KeptFunction.keys(arguments?[0], in: context)
                // Only `lend` binds pointers of this type: the storage of a set, which the
                // statement retains.
                let isKept =
                    keys.map { !KeySet.isKey(key, in: Unmanaged<AnyObject>.fromOpaque($0)) } ?? true
                sqlite3_result_int(context, isKept ? 1 : 0)
            }, nil, nil, nil)
    }

    /// Returns the bound set.
    ///
    /// SQLite keeps the auxiliary data of a constant argument until the statement is reset, and
    /// returns it without comparing type names.
    private static func keys(
        _ set: OpaquePointer?, in context: OpaquePointer?
    ) -> UnsafeMutableRawPointer? {
        if let known = sqlite3_get_auxdata(context, 0) { return known }
        let keys = sqlite3_value_pointer(set, pointerType)
        if let keys { sqlite3_set_auxdata(context, 0, keys, nil) }
        return keys
    }
}
