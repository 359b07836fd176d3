import RecordStackModel

/// The values of JSON that are taken as they are read, by what an attribute is.
enum PlainValue: UInt8 {
    case text, integer, double, bool
    /// All have to be converted.
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

    /// The cell of the token that was read; nil for one that is not taken as it is.
    /// - Parameter source: text within it stays where it is.
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
    /// Whether some bytes are a part of these.
    fileprivate func holds(_ part: UnsafeRawBufferPointer) -> Bool {
        guard let start = baseAddress, let first = part.baseAddress else { return false }
        return first >= start && first + part.count <= start + count
    }
}
