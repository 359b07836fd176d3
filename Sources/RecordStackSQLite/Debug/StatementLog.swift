import CSQLite
import RecordStackModel

/// The report about one statement, created with the statement if there is a recipient.
final class StatementLog {
    private let debugger: SQLDebugger
    private let sql: String
    private var values: [String] = []
    private var plan: [String] = []
    private var start = ContinuousClock.now

    init(debugger: SQLDebugger, sql: String) {
        self.debugger = debugger
        self.sql = sql
    }

    func bind(_ literal: @autoclosure () -> String, at index: Int32) {
        guard debugger.level >= .values else { return }
        while values.count < Int(index) { values.append("NULL") }
        values[Int(index) - 1] = literal()
    }

    func begin(on handle: OpaquePointer) {
        guard debugger.level >= .values else { return debugger.tell(.statement, sql) }
        if debugger.level >= .plans { plan = debugger.plan(of: sql, on: handle) }
        start = .now
    }

    func end(rows: Int?, failure: String?) {
        guard debugger.level >= .values else { return }
        debugger.tell(
            .statement, sql, values: values, duration: .now - start, rowCount: rows, plan: plan,
            failure: failure)
    }
}

/// Values as SQL literals, shortened if they are long.
enum SQLLiteral {
    /// The number of characters shown of a text, and twice the number of bytes shown of a BLOB.
    private static var most: Int { 64 }

    static func of(_ value: StoredValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .text(let value): text(value)
        case .blob(let value): blob(value.prefix(most / 2), count: value.count)
        }
    }

    static func of(_ cell: Cell) -> String {
        switch cell.tag {
        case .null: "NULL"
        case .integer: String(cell.integer)
        case .real: String(cell.real)
        case .text:
            text(String(decoding: cell.bytes.prefix(most * 4 + 4), as: UTF8.self), cell.bytes.count)
        case .blob: blob(cell.bytes.prefix(most / 2), count: cell.bytes.count)
        }
    }

    static func text(_ value: String, _ byteCount: Int? = nil) -> String {
        let shown = String(value.unicodeScalars.prefix(most))
        let bytes = byteCount ?? value.utf8.count
        let isWhole = shown.utf8.count == bytes
        let escaped = shown.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "''")
        // Each statement is one line of output, so control characters are replaced by
        // their symbols.
        let line = String(
            String.UnicodeScalarView(
                escaped.unicodeScalars.map {
                    switch $0.value {
                    case 0..<0x20: Unicode.Scalar(0x2400 + $0.value) ?? "\u{FFFD}"
                    case 0x7F: "\u{2421}"
                    case 0x80..<0xA0: "\u{FFFD}"
                    default: $0
                    }
                }))
        return isWhole ? "'\(line)'" : "'\(line)…' (\(bytes) bytes)"
    }

    private static func blob(_ bytes: some Collection<UInt8>, count: Int) -> String {
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return bytes.count == count ? "x'\(digits)'" : "x'\(digits)…' (\(count) bytes)"
    }
}
