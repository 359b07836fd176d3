public import FoundationEssentials

extension Decimal: AttributeValue {
    /// `Decimal`, stored as text.
    public static var attributeType: AttributeType { .decimal }
    /// The number 0.
    public static var placeholder: Decimal { 0 }

    /// The number as its shortest text without an exponent, such as `-12.5`, or null for NaN.
    ///
    /// The text keeps all digits of the number. SQL and RecordStack compare the text as a number.
    public var storedValue: StoredValue {
        isNaN ? .null : .text(DecimalText.canonical(description))
    }

    /// Creates a number from its shortest text without an exponent.
    ///
    /// The result is nil for any other value, and for a number with more digits than a `Decimal`
    /// can hold.
    public init?(storedValue: StoredValue) {
        guard case .text(let text) = storedValue, text.utf8.count <= DecimalText.mostBytes,
            DecimalText.isCanonical(text), let value = Decimal(string: text)
        else { return nil }
        self = value
        if text.utf8.count <= DecimalText.fewBytes { return }
        // A rounded number is a different number.
        guard case .text(let own) = self.storedValue, own.hasSameBytes(as: text) else { return nil }
    }
}

/// Numbers as text in one canonical form.
///
/// The form has an optional minus, digits without a leading zero, and a fraction without a trailing
/// zero. Equal numbers have equal text, and texts can be ordered without conversion.
package enum DecimalText {
    /// The size in bytes up to which a text has at most 38 digits, which a `Decimal` always holds.
    static let fewBytes = 38
    /// The size in bytes that no `Decimal` exceeds.
    ///
    /// Its digits lie between 10⁻¹²⁸ and 10¹⁶⁵.
    static let mostBytes = 300

    /// Returns the canonical form of a plain decimal number.
    static func canonical(_ plain: String) -> String {
        guard plain.utf8.contains(UInt8(ascii: ".")) else { return plain == "-0" ? "0" : plain }
        var text = plain[...]
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text.isEmpty || text == "-" || text == "-0" ? "0" : String(text)
    }

    package static func isCanonical(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { Parts(UnsafeRawBufferPointer($0)) != nil }
    }

    /// Returns the order of two numbers.
    ///
    /// Texts that are not numbers come after all numbers, in the order of their bytes.
    package static func compare(_ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer)
        -> Order
    {
        switch (Parts(lhs), Parts(rhs)) {
        case (let a?, let b?): a.compare(to: b)
        case (_?, nil): .before
        case (nil, _?): .after
        case (nil, nil): Order(bytes: lhs, rhs)
        }
    }

    /// The parts of a number in canonical form.
    private struct Parts {
        let isNegative: Bool
        let whole: UnsafeRawBufferPointer.SubSequence
        let fraction: UnsafeRawBufferPointer.SubSequence

        init?(_ bytes: UnsafeRawBufferPointer) {
            isNegative = bytes.first == UInt8(ascii: "-")
            let digits = isNegative ? bytes.dropFirst() : bytes[...]
            let point = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.endIndex
            whole = digits[..<point]
            fraction = point == digits.endIndex ? digits[point...] : digits[(point + 1)...]
            let zero = UInt8(ascii: "0")
            let isDigits = digits.indices.allSatisfy {
                $0 == point || (zero...(zero + 9)).contains(digits[$0])
            }
            let isWholeShort = whole.count == 1 || whole.first != zero
            let isFractionShort = point == digits.endIndex || (fraction.last ?? zero) != zero
            let isMinusZero = isNegative && fraction.isEmpty && whole.elementsEqual([zero])
            guard isDigits, !whole.isEmpty, isWholeShort, isFractionShort, !isMinusZero else {
                return nil
            }
        }

        func compare(to other: Parts) -> Order {
            if isNegative != other.isNegative { return isNegative ? .before : .after }
            let size = compareSize(to: other)
            return isNegative ? size.reversed : size
        }

        private func compareSize(to other: Parts) -> Order {
            if whole.count != other.whole.count { return Order(whole.count, other.whole.count) }
            let order = Order(bytes: whole, other.whole)
            return order == .same ? Order(bytes: fraction, other.fraction) : order
        }
    }
}
