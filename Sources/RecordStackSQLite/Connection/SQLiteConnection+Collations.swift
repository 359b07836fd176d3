import CSQLite
import RecordStackModel

extension SQLiteConnection {
    /// Installs the text orders that SQLite does not have.
    func installCollations() throws {
        try install(.decimal) { _, length, bytes, otherLength, otherBytes in
            Collation.decimal.sqliteOrder(length, bytes, otherLength, otherBytes)
        }
        try install(.caseInsensitive) { _, length, bytes, otherLength, otherBytes in
            Collation.caseInsensitive.sqliteOrder(length, bytes, otherLength, otherBytes)
        }
    }

    private func install(
        _ collation: Collation,
        _ compare:
            @convention(c) (
                UnsafeMutableRawPointer?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?
            ) -> Int32
    ) throws {
        let code = sqlite3_create_collation_v2(
            handle, collation.sqlText, SQLITE_UTF8, nil, compare, nil)
        if code != SQLITE_OK { throw SQLiteFailure(code: code, handle: handle) }
    }
}

extension SQLiteConnection {
    /// Installs an order of the program when the first statement that uses it is compiled.
    func prepare(_ order: TextOrder) throws {
        if functions.textOrders.contains(order) { return }
        let held = Unmanaged.passRetained(HeldOrder(order))
        let code = sqlite3_create_collation_v2(
            handle, Collation(order).sqlName, SQLITE_UTF8, held.toOpaque(),
            { context, length, bytes, otherLength, otherBytes in
                HeldOrder.collation(of: context).sqliteOrder(
                    length, bytes, otherLength, otherBytes)
            }, { HeldOrder.release($0) })
        if code != SQLITE_OK {
            // SQLite does not call the last closure if it has not accepted the collation.
            held.release()
            throw SQLiteFailure(code: code, handle: handle)
        }
        functions.textOrders.insert(order)
    }
}

/// A text order, as the object that SQLite retains.
private final class HeldOrder {
    let collation: Collation

    init(_ order: TextOrder) {
        collation = Collation(order)
    }

    /// Returns the collation of a call from SQLite.
    ///
    /// - Note: ``SQLiteConnection/prepare(_:)`` passed the pointer to SQLite with a reference,
    ///   which SQLite keeps as long as it makes such calls.
    static func collation(of context: UnsafeMutableRawPointer?) -> Collation {
        guard let context else { return .binary }
        return Unmanaged<HeldOrder>.fromOpaque(context).takeUnretainedValue().collation
    }

    /// Releases SQLite's reference.
    ///
    /// - Note: SQLite calls this once, when it no longer needs the reference.
    static func release(_ context: UnsafeMutableRawPointer?) {
        if let context { Unmanaged<HeldOrder>.fromOpaque(context).release() }
    }
}

extension Collation {
    /// The name of the collation in SQLite. Only a name from the program needs quotes.
    fileprivate var sqlName: String {
        switch kind {
        case .binary: "BINARY"
        case .decimal: "RECORDSTACK_DECIMAL"
        case .caseInsensitive: "RECORDSTACK_CASELESS"
        case .brought(let order): "ORDER " + order.name
        }
    }

    var sqlText: String { textOrder == nil ? sqlName : SQLText.quoted(sqlName) }

    fileprivate func sqliteOrder(
        _ length: Int32, _ bytes: UnsafeRawPointer?, _ otherLength: Int32,
        _ otherBytes: UnsafeRawPointer?
    ) -> Int32 {
        let order = compare(
            UnsafeRawBufferPointer(start: bytes, count: Int(length)),
            UnsafeRawBufferPointer(start: otherBytes, count: Int(otherLength)))
        return switch order {
        case .before: -1
        case .same: 0
        case .after: 1
        }
    }
}
