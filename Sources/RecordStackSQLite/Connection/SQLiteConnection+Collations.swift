import CSQLite
import RecordStackModel

extension SQLiteConnection {
    /// Teaches SQLite the orders of text that it does not know.
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
    /// Teaches SQLite an order that a program has brought along, when a statement is first made with it.
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
            // SQLite does not call the last closure where it did not take the collation.
            held.release()
            throw SQLiteFailure(code: code, handle: handle)
        }
        functions.textOrders.insert(order)
    }
}

/// What SQLite keeps of an order.
private final class HeldOrder {
    let collation: Collation

    init(_ order: TextOrder) {
        collation = Collation(order)
    }

    /// - Note: ``SQLiteConnection/prepare(_:)`` gave SQLite the pointer with a reference, which it keeps for as
    ///   long as it calls anything.
    static func collation(of context: UnsafeMutableRawPointer?) -> Collation {
        guard let context else { return .binary }
        return Unmanaged<HeldOrder>.fromOpaque(context).takeUnretainedValue().collation
    }

    /// - Note: SQLite calls it once, when it needs the reference no more.
    static func release(_ context: UnsafeMutableRawPointer?) {
        if let context { Unmanaged<HeldOrder>.fromOpaque(context).release() }
    }
}

extension Collation {
    /// The name by which SQLite knows it. It needs no quotes, but where a program has chosen it.
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
