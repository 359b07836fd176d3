import RecordStackModel

/// The JSON values that an attribute takes without a conversion.
enum PlainValue: UInt8 {
    case text, integer, double, bool
    /// No JSON value: all must be converted.
    case converted

    init(_ conversion: ValueConversion) {
        switch conversion {
        case .string: self = .text
        case .integer: self = .integer
        case .double: self = .double
        case .bool: self = .bool
        default: self = .converted
        }
    }

    /// Returns the cell of the token that was read; nil if the token needs a conversion.
    ///
    /// - Parameter source: the source, in which text stays in memory.
    @inline(__always)
    func cell(
        _ token: JSONToken, _ scanner: inout JSONScanner, _ source: UnsafeRawBufferPointer
    ) -> Cell? {
        switch self {
        case .text where token == .string:
            let text = scanner.text
            guard source.holds(text), text.count <= Int(Int32.max) else { return nil }
            return Cell(
                bits: UInt64(UInt(bitPattern: text.baseAddress)), length: Int32(text.count),
                tag: .text)
        case .integer where token == .number: return scanner.number.int64.map(Cell.integer)
        case .double where token == .number:
            let value = scanner.number.double
            return value.isFinite ? .real(value) : nil
        case .bool where token == .true: return .integer(1)
        case .bool where token == .false: return .integer(0)
        default: return nil
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether another buffer is a part of this one.
    fileprivate func holds(_ part: UnsafeRawBufferPointer) -> Bool {
        guard let start = baseAddress, let first = part.baseAddress else { return false }
        return first >= start && first + part.count <= start + count
    }
}
