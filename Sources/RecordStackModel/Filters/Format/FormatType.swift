/// The type of a value in a filter, which decides what the value can be compared with.
enum FormatType {
    case bool
    case integer(String)
    /// `UInt64`, which is stored as bytes above `Int64.max`.
    case unsigned
    case real(String)
    case float
    case decimal
    case text(String)
    case json
    case date
    case data(String)
    case uuid
    case object(EntityDescription)

    init(_ type: AttributeType) {
        switch type.name {
        case AttributeType.bool.name: self = .bool
        case AttributeType.unsigned.name: self = .unsigned
        case AttributeType.float.name: self = .float
        case AttributeType.decimal.name: self = .decimal
        case AttributeType.json.name: self = .json
        case AttributeType.date.name: self = .date
        case AttributeType.uuid.name: self = .uuid
        default:
            switch type.storage {
            case .integer: self = .integer(type.name)
            case .real: self = .real(type.name)
            case .text: self = .text(type.name)
            case .blob: self = .data(type.name)
            }
        }
    }

    static let wholeNumber = FormatType(.integer)
    static let double = FormatType(.double)
    static let string = FormatType(.string)

    var name: String {
        switch self {
        case .bool: "Bool"
        case .integer(let name), .real(let name), .text(let name), .data(let name): name
        case .unsigned: "UInt64"
        case .float: "Float"
        case .decimal: "Decimal"
        case .json: "JSON"
        case .date: "Date"
        case .uuid: "UUID"
        case .object(let entity): entity.name
        }
    }

    private var family: Int {
        switch self {
        case .bool: 0
        case .integer, .real, .float: 1
        case .unsigned: 2
        case .decimal: 3
        case .text: 4
        case .json: 5
        case .date: 6
        case .data: 7
        case .uuid: 8
        case .object: 9
        }
    }

    /// Whether values of both can be compared.
    func isComparable(with other: FormatType) -> Bool {
        switch (self, other) {
        case (.object(let a), .object(let b)): a.root.isSame(as: b.root)
        // A UInt64 above `Int64.max` is stored as bytes, and bytes sort after all integers.
        case (.integer, .unsigned), (.unsigned, .integer): true
        default: family == other.family
        }
    }

    var isText: Bool { if case .text = self { true } else { false } }
    var isDate: Bool { if case .date = self { true } else { false } }
    var isDecimal: Bool { if case .decimal = self { true } else { false } }
    var isInteger: Bool { if case .integer = self { true } else { false } }
    var isFloat: Bool { if case .float = self { true } else { false } }
    var isData: Bool { if case .data = self { true } else { false } }

    /// Whether the type is a number that arithmetic accepts.
    var isNumber: Bool { isPlainNumber || isDecimal }
    private var isPlainNumber: Bool { family == 1 }
}

extension FormatType {
    /// Returns the type of a result of arithmetic; nil if the operation does not accept the types.
    ///
    /// A literal whose other operand is also a literal has its own type.
    static func result(
        of operation: FilterArithmetic, _ a: FormatType, _ b: FormatType
    ) -> FormatType? {
        switch (operation, a, b) {
        case (.subtract, .date, .date): return .double
        case (.add, .date, _), (.subtract, .date, _): return b.isPlainNumber ? .date : nil
        case (.add, _, .date): return a.isPlainNumber ? .date : nil
        case (.modulo, _, _): return a.isInteger && b.isInteger ? .wholeNumber : nil
        default: break
        }
        guard a.isNumber, b.isNumber else { return nil }
        if a.isDecimal || b.isDecimal {
            return (a.isDecimal || a.isInteger) && (b.isDecimal || b.isInteger) ? .decimal : nil
        }
        if a.isInteger && b.isInteger { return .wholeNumber }
        return a.isFloat && b.isFloat ? .float : .double
    }
}

extension FilterFunction {
    /// Returns the type of the function's result; nil if the function does not accept the type.
    func result(of type: FormatType) -> FormatType? {
        switch self {
        case .lowercase, .uppercase: type.isText ? .string : nil
        case .length: type.isText || type.isData ? .wholeNumber : nil
        case .abs, .floor, .ceiling, .trunc: type.isNumber ? type : nil
        case .real: type.isNumber ? .double : nil
        }
    }
}

extension FilterAggregate.Kind {
    /// Returns the type of the aggregate; nil if the aggregate does not accept the type.
    func result(of type: FormatType) -> FormatType? {
        switch self {
        case .count: .wholeNumber
        case .minimum, .maximum: if case .object = type { nil } else { type }
        case .average: type.isNumber ? .double : nil
        case .sum where type.isDecimal: .decimal
        case .sum where type.isInteger: .wholeNumber
        case .sum: type.isNumber ? .double : nil
        }
    }

    /// The name of the aggregate after the `@`.
    var formatName: String {
        switch self {
        case .count: "count"
        case .sum: "sum"
        case .average: "avg"
        case .minimum: "min"
        case .maximum: "max"
        }
    }

    init?(formatName: String) {
        let all: [FilterAggregate.Kind] = [.count, .sum, .average, .minimum, .maximum]
        guard let kind = all.first(where: { $0.formatName == formatName }) else { return nil }
        self = kind
    }
}
