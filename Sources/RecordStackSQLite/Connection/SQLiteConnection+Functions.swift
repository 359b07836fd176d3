import CSQLite
import RecordStackModel
import RecordStackPlatform

// Functions that filters need in SQL. The evaluation in memory calls the same code, so a filter
// means the same in both.
extension SQLiteConnection {
    /// Installs the functions that SQLite lacks, before the first statement that may call one.
    ///
    /// There are many of them, and most programs never need one.
    func prepareFunctions(for sql: String) throws {
        if functions.hasFunctions || !Self.mayCallFunctions(sql) { return }
        try installFunctions()
        functions.hasFunctions = true
    }

    private static func mayCallFunctions(_ sql: String) -> Bool {
        Bytes.text(sql, contains: SQLFunction.prefix)
    }

    private func installFunctions() throws {
        for function in SQLFunction.all {
            let installed = InstalledFunction(function, functions.functionFailure)
            let code = sqlite3_create_function_v2(
                handle, function.name, function.argumentCount,
                SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                // SQLite owns this reference until the connection is closed.
                Unmanaged.passRetained(installed).toOpaque(),
                function.isAggregate ? nil : { SQLCall($0, $2).run() },
                function.isAggregate
                    ? { context, _, arguments in
                        SQLAggregate.add(context, arguments)
                    } : nil,
                function.isAggregate ? { SQLAggregate.finish($0) } : nil,
                { installed in
                    // Releases the reference that was handed over. SQLite also calls this if
                    // installing fails.
                    installed.map { Unmanaged<InstalledFunction>.fromOpaque($0).release() }
                })
            if code != SQLITE_OK { throw SQLiteFailure(code: code, handle: handle) }
        }
        let code = KeptFunction.install(on: handle)
        if code != SQLITE_OK { throw SQLiteFailure(code: code, handle: handle) }
    }
}

extension SQLFunction {
    fileprivate var isAggregate: Bool {
        switch self {
        case .sum, .average, .integerAverage: true
        case .fold, .match, .decimal, .remainder, .call, .narrow, .value: false
        }
    }

}

/// The error with which a function has ended a statement. SQLite passes on only a text.
final class FunctionFailure {
    private var error: (any Error)?

    func note(_ error: any Error) { self.error = error }

    /// Returns the error and clears it.
    func take() -> (any Error)? {
        defer { error = nil }
        return error
    }
}

/// A function, as the object that SQLite retains.
private final class InstalledFunction {
    let function: SQLFunction
    private let failure: FunctionFailure

    init(_ function: SQLFunction, _ failure: FunctionFailure) {
        self.function = function
        self.failure = failure
    }

    /// Returns the function that SQLite calls.
    static func called(_ context: OpaquePointer?) -> InstalledFunction {
        // Installing handed over this object, which lives as long as the connection.
        Unmanaged<InstalledFunction>.fromOpaque(sqlite3_user_data(context)!).takeUnretainedValue()
    }

    /// Ends the statement with an error.
    func fail(_ error: any Error, _ context: OpaquePointer?) {
        failure.note(error)
        sqlite3_result_error(context, "\(error)", -1)
    }
}

/// A call of a function from SQL.
private struct SQLCall {
    let context: OpaquePointer?
    let arguments: UnsafeMutablePointer<OpaquePointer?>?

    init(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        self.context = context
        self.arguments = arguments
    }

    func run() {
        let called = InstalledFunction.called(context)
        do {
            try result(of: called.function).give(to: context)
        } catch {
            called.fail(error, context)
        }
    }

    private func value(_ index: Int) -> StoredValue { StoredValue(arguments?[index]) }

    private func result(of function: SQLFunction) throws -> StoredValue {
        switch function {
        case .fold(let options):
            guard case .text(let text) = value(0) else { return .null }
            return .text(options.fold(text))
        case .match(let kind, let options): return .integer(try match(kind, options) ? 1 : 0)
        case .decimal(let operation): return operation.apply(value(0), value(1), isDecimal: true)
        case .remainder: return FilterArithmetic.modulo.apply(value(0), value(1))
        case .call(let function): return function.apply(value(0))
        case .value: return ValueListText.decoded(value(0))
        case .narrow(let type): return try AttributeType.narrow(value(0), type)
        // SQLite does not call aggregates for single rows.
        case .sum, .average, .integerAverage: return .null
        }
    }

    /// Returns true if a text matches a pattern. A pattern that is constant is compiled only once.
    private func match(_ kind: Filter.TextMatch, _ options: TextOptions) throws -> Bool {
        guard case .text(let text) = value(0) else { return false }
        if let known = sqlite3_get_auxdata(context, 1) {
            let matcher = Unmanaged<MatcherBox>.fromOpaque(known).takeUnretainedValue()
            return try matcher.value.holds(text)
        }
        guard case .text(let pattern) = value(1) else { return false }
        let matcher = MatcherBox(try TextMatcher(kind, pattern, options))
        let holds = try matcher.value.holds(text)
        sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(matcher).toOpaque()) { matcher in
            // Releases the reference that was handed over with the matcher.
            matcher.map { Unmanaged<MatcherBox>.fromOpaque($0).release() }
        }
        return holds
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

    /// Returns SQLite's memory for a group of rows, which holds the address of the group's sum.
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

    /// Finishes a group, once for each group, even without rows or after an abort.
    static func finish(_ context: OpaquePointer?) {
        var summary = ValueSummary()
        if let room = room(context, 0), let known = room.pointee {
            room.pointee = nil
            // Takes over the reference from the first row.
            summary = Unmanaged<SQLAggregate>.fromOpaque(known).takeRetainedValue().summary
        }
        let called = InstalledFunction.called(context)
        do {
            switch called.function {
            case .sum(let isDecimal):
                try summary.result(of: .sum, isDecimal ? .decimal : .binary).give(to: context)
            case .average(let isDecimal):
                try summary.result(of: .average, isDecimal ? .decimal : .binary).give(to: context)
            case .integerAverage: try summary.averageOfIntegers().give(to: context)
            case .fold, .match, .decimal, .remainder, .call, .narrow, .value:
                sqlite3_result_null(context)
            }
        } catch {
            called.fail(error, context)
        }
    }
}

extension StoredValue {
    fileprivate init(_ value: OpaquePointer?) {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
        case SQLITE_TEXT:
            let bytes = UnsafeRawBufferPointer(
                start: sqlite3_value_text(value), count: Int(sqlite3_value_bytes(value)))
            self.init(text: bytes)
        case SQLITE_BLOB:
            let bytes = UnsafeRawBufferPointer(
                start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
            self = .blob([UInt8](bytes))
        default: self = .null
        }
    }

    fileprivate func give(to context: OpaquePointer?) {
        // `unsafeBitCast`: SQLITE_TRANSIENT is the C macro for the address −1, which SQLite only
        // compares. It makes SQLite copy the value.
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
