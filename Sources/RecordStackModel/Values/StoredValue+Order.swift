/// The order of two stored values.
package enum Order: Sendable {
    case before, same, after

    package var reversed: Order {
        switch self {
        case .before: .after
        case .same: .same
        case .after: .before
        }
    }

    package init<Value: Comparable>(_ lhs: Value, _ rhs: Value) {
        self = lhs < rhs ? .before : (lhs == rhs ? .same : .after)
    }
}

extension StoredValue {
    /// Returns the order of two values, with texts ordered by a collation.
    package func compare(to other: StoredValue, _ collation: Collation) -> Order {
        if collation != .binary, case .text(let a) = self, case .text(let b) = other {
            return collation.compare(a, b)
        }
        return compare(to: other)
    }

    /// Returns SQLite's order: null, then numbers, then text by its bytes, then blobs.
    package func compare(to other: StoredValue) -> Order {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): Order(a, b)
        case (.real(let a), .real(let b)): Order(a, b)
        case (.integer(let a), .real(let b)): NumberOrder.compare(a, b)
        case (.real(let a), .integer(let b)): NumberOrder.compare(b, a).reversed
        case (.text(let a), .text(let b)): a.compareBytes(to: b)
        case (.blob(let a), .blob(let b)):
            a.lexicographicallyPrecedes(b) ? .before : (a == b ? .same : .after)
        default: Order(rank, other.rank)
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }
}

/// Compares integers with reals without rounding the integer, as SQLite does.
package enum NumberOrder {
    package static func compare(_ integer: Int64, _ real: Double) -> Order {
        if real.isNaN { return .after }
        // 2^63 and above exceed every Int64, and numbers below −2^63 are less than every Int64.
        if real >= 9_223_372_036_854_775_808 { return .before }
        if real < -9_223_372_036_854_775_808 { return .after }
        let whole = Int64(real.rounded(.towardZero))
        if integer != whole { return Order(integer, whole) }
        return Order(0, real - Double(whole))
    }
}

extension String {
    /// Whether both texts have the same UTF-8 bytes.
    ///
    /// Canonically equivalent texts with different bytes are not the same.
    package func hasSameBytes(as other: String) -> Bool {
        compareBytes(to: other) == .same
    }

    /// Returns the order of the UTF-8 bytes, which is the order of the Unicode scalars.
    package func compareBytes(to other: String) -> Order {
        let contiguous = utf8.withContiguousStorageIfAvailable { mine in
            other.utf8.withContiguousStorageIfAvailable { theirs in
                Order(mine, theirs)
            }
        }
        if let order = contiguous ?? nil { return order }
        return Order(bytes: Array(utf8), Array(other.utf8))
    }

    package func hashBytes(into hasher: inout Hasher) {
        var copy = self
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // Ends the text, so that adjacent texts do not hash like one text.
        hasher.combine(0xFF as UInt8)
    }
}

extension Order {
    init(_ lhs: UnsafeBufferPointer<UInt8>, _ rhs: UnsafeBufferPointer<UInt8>) {
        let common = Swift.min(lhs.count, rhs.count)
        for index in 0..<common where lhs[index] != rhs[index] {
            self = lhs[index] < rhs[index] ? .before : .after
            return
        }
        self.init(lhs.count, rhs.count)
    }

    init<Bytes: Collection<UInt8>>(bytes lhs: Bytes, _ rhs: Bytes) {
        self =
            lhs.lexicographicallyPrecedes(rhs)
            ? .before : (lhs.elementsEqual(rhs) ? .same : .after)
    }
}
