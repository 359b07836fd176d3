/// An order of strings, which also determines which strings are equal.
///
/// ```swift
/// @Attribute(.indexed(collation: .caseInsensitive)) var name: String
/// ```
public struct Collation: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case binary, decimal, caseInsensitive
        case brought(TextOrder)
    }

    package let kind: Kind

    /// Orders strings by UTF-8 bytes, which is the order of their Unicode scalars.
    public static let binary = Collation(kind: .binary)
    /// Orders strings by the UTF-8 bytes of their `lowercased()` forms, whatever the language.
    public static let caseInsensitive = Collation(kind: .caseInsensitive)
    /// Orders texts by the numbers that they contain.
    package static let decimal = Collation(kind: .decimal)

    package init(_ order: TextOrder) { kind = .brought(order) }

    private init(kind: Kind) { self.kind = kind }

    /// The order that a program provides; nil for the orders of the library.
    package var textOrder: TextOrder? {
        if case .brought(let order) = kind { order } else { nil }
    }

    /// Returns the order of two texts, given as UTF-8 bytes.
    package func compare(_ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer) -> Order {
        switch kind {
        case .binary: Order(bytes: lhs, rhs)
        case .decimal: DecimalText.compare(lhs, rhs)
        case .caseInsensitive: Caseless.compare(lhs, rhs)
        case .brought(let order):
            order.compare(
                String(decoding: lhs, as: UTF8.self), String(decoding: rhs, as: UTF8.self))
        }
    }

    package func compare(_ lhs: String, _ rhs: String) -> Order {
        if kind == .binary { return lhs.compareBytes(to: rhs) }
        if let textOrder { return textOrder.compare(lhs, rhs) }
        var (lhs, rhs) = (lhs, rhs)
        return lhs.withUTF8 { a in
            rhs.withUTF8 { b in compare(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b)) }
        }
    }
}

/// Compares texts without regard to upper and lower case.
private enum Caseless {
    static func compare(_ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer) -> Order {
        let common = min(lhs.count, rhs.count)
        for index in 0..<common {
            let (a, b) = (lhs[index], rhs[index])
            // From the first letter that is not ASCII on, both texts are lowercased as a whole.
            if (a | b) >= 0x80 { return compareWhole(lhs, rhs) }
            if lowered(a) != lowered(b) { return Order(lowered(a), lowered(b)) }
        }
        return Order(lhs.count, rhs.count)
    }

    private static func compareWhole(
        _ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer
    ) -> Order {
        let a = String(decoding: lhs, as: UTF8.self).lowercased()
        return a.compareBytes(to: String(decoding: rhs, as: UTF8.self).lowercased())
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
