import CSQLite
import RecordStackModel

// Functions that filters need in SQL, so that they mean the same as in memory: both call the same code.
extension SQLiteConnection {
    /// Teaches SQLite the functions that it does not know.
    func installFunctions() throws {
        try install(.fold, arguments: 2) { context, _, arguments in
            SQLCall(context, arguments).run { call in
                guard case .text(let text) = call.value(1) else { return .null }
                return .text(TextOptions(rawValue: Int(call.code)).fold(text))
            }
        }
        try install(.match, arguments: 3) { context, _, arguments in
            SQLCall(context, arguments).run { try $0.match() }
        }
        try install(.decimal, arguments: 3) { context, _, arguments in
            SQLCall(context, arguments).run { call in
                SQLFunction.operations[Int(call.code)].apply(
                    call.value(1), call.value(2), isDecimal: true)
            }
        }
        try install(.call, arguments: 2) { context, _, arguments in
            SQLCall(context, arguments).run { call in
                FilterFunction.allCases[Int(call.code)].apply(call.value(1))
            }
        }
        try install(.sum) { context in SQLAggregate.finish(context, .sum, .binary) }
        try install(.decimalSum) { context in SQLAggregate.finish(context, .sum, .decimal) }
        try install(.average) { context in SQLAggregate.finish(context, .average, .binary) }
        try install(.decimalAverage) { context in
            SQLAggregate.finish(context, .average, .decimal)
        }
    }

    private func install(
        _ function: SQLFunction, arguments: Int32,
        _ call:
            @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    ) throws {
        let code = sqlite3_create_function_v2(
            handle, function.rawValue, arguments,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil, call, nil, nil, nil)
        if code != SQLITE_OK { throw SQLiteFailure(code: code, handle: handle) }
    }

    private func install(
        _ aggregate: SQLFunction, _ finish: @convention(c) (OpaquePointer?) -> Void
    ) throws {
        let code = sqlite3_create_function_v2(
            handle, aggregate.rawValue, 1,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil, nil,
            { context, _, arguments in SQLAggregate.add(context, arguments) }, finish, nil)
        if code != SQLITE_OK { throw SQLiteFailure(code: code, handle: handle) }
    }
}

/// A call of a function from SQL. Its first argument is a number that the compiler has written.
private struct SQLCall {
    let context: OpaquePointer?
    let arguments: UnsafeMutablePointer<OpaquePointer?>?

    init(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        self.context = context
        self.arguments = arguments
    }

    var code: Int64 { sqlite3_value_int64(arguments?[0]) }

    func value(_ index: Int) -> StoredValue { StoredValue(arguments?[index]) }

    func run(_ body: (SQLCall) throws -> StoredValue) {
        do {
            try body(self).give(to: context)
        } catch {
            sqlite3_result_error(context, "\(error)", -1)
        }
    }

    /// Whether a text matches a pattern, which is made ready once where it is the same for all rows.
    func match() throws -> StoredValue {
        guard case .text(let text) = value(1) else { return .integer(0) }
        if let known = sqlite3_get_auxdata(context, 2) {
            let matcher = Unmanaged<MatcherBox>.fromOpaque(known).takeUnretainedValue()
            return .integer(matcher.value.holds(text) ? 1 : 0)
        }
        guard case .text(let pattern) = value(2) else { return .integer(0) }
        let matcher = MatcherBox(
            try TextMatcher(
                SQLFunction.matches[Int(code) / 4], pattern, TextOptions(rawValue: Int(code) % 4)))
        let holds = matcher.value.holds(text)
        sqlite3_set_auxdata(context, 2, Unmanaged.passRetained(matcher).toOpaque()) { matcher in
            // The reference that was handed over with the matcher.
            matcher.map { Unmanaged<MatcherBox>.fromOpaque($0).release() }
        }
        return .integer(holds ? 1 : 0)
    }
}

private final class MatcherBox {
    let value: TextMatcher

    init(_ value: TextMatcher) {
        self.value = value
    }
}

/// A sum or average over the rows of a query.
private final class SQLAggregate {
    private var summary = ValueSummary()

    /// The room that SQLite keeps for a group of rows: the address of its sum, which it holds.
    private static func room(
        _ context: OpaquePointer?, _ size: Int32
    ) -> UnsafeMutablePointer<UnsafeRawPointer?>? {
        sqlite3_aggregate_context(context, size)?
            .assumingMemoryBound(to: UnsafeRawPointer?.self)
    }

    static func add(
        _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        let size = Int32(MemoryLayout<UnsafeRawPointer?>.size)
        guard let room = room(context, size) else { return sqlite3_result_error_nomem(context) }
        let sum: SQLAggregate
        if let known = room.pointee {
            sum = Unmanaged<SQLAggregate>.fromOpaque(known).takeUnretainedValue()
        } else {
            sum = SQLAggregate()
            room.pointee = UnsafeRawPointer(Unmanaged.passRetained(sum).toOpaque())
        }
        sum.summary.addNumber(StoredValue(arguments?[0]))
    }

    /// Called once for each group, also where there was no row and where the query was given up.
    static func finish(
        _ context: OpaquePointer?, _ kind: FilterAggregate.Kind, _ collation: Collation
    ) {
        var summary = ValueSummary()
        if let room = room(context, 0), let known = room.pointee {
            room.pointee = nil
            // The reference that was taken with the first row.
            summary = Unmanaged<SQLAggregate>.fromOpaque(known).takeRetainedValue().summary
        }
        summary.result(of: kind, collation).give(to: context)
    }
}

extension StoredValue {
    fileprivate init(_ value: OpaquePointer?) {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
        case SQLITE_TEXT:
            let bytes = UnsafeBufferPointer(
                start: sqlite3_value_text(value), count: Int(sqlite3_value_bytes(value)))
            self = .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let bytes = UnsafeRawBufferPointer(
                start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
            self = .blob([UInt8](bytes))
        default: self = .null
        }
    }

    fileprivate func give(to context: OpaquePointer?) {
        // SQLite copies what it is told may go.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch self {
        case .null: sqlite3_result_null(context)
        case .integer(let number): sqlite3_result_int64(context, number)
        case .real(let number): sqlite3_result_double(context, number)
        case .text(var text):
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    sqlite3_result_text64(
                        context, $0.baseAddress, UInt64($0.count), transient,
                        UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let bytes):
            sqlite3_result_blob64(context, bytes, UInt64(bytes.count), transient)
        }
    }
}
