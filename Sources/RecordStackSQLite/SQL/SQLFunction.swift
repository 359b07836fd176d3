import RecordStackModel

/// The functions that SQLite does not have, or defines differently.
///
/// Each variant has a separate name, so that SQL stays readable and contains only names
/// and parameters.
enum SQLFunction: Sendable, Hashable {
    case fold(TextOptions)
    case match(Filter.TextMatch, TextOptions)
    case decimal(FilterArithmetic)
    /// The remainder of integers. SQLite's `%` would also convert real numbers to integers.
    case remainder
    case call(FilterFunction)
    case sum(isDecimal: Bool)
    case average(isDecimal: Bool)
    /// An average of integers only, because the result would not show that a value was real.
    case integerAverage
    /// A value of an integer type with fewer than 64 bits, by the name of the type.
    ///
    /// Fails if the value is outside the type.
    case narrow(String)
    /// The decoded value of a list's element in JSON.
    case value

    /// All functions. The order must not change, because SQLite refers to a function by its index.
    static let all: [SQLFunction] = {
        let options = (0..<4).map { TextOptions(rawValue: $0) }
        var all = options.dropFirst().map(fold)
        for kind in [Filter.TextMatch.hasPrefix, .hasSuffix, .contains, .like, .matches] {
            all += options.map { .match(kind, $0) }
        }
        all += [.add, .subtract, .multiply, .divide, .modulo].map(decimal)
        all += [.remainder, .value, .integerAverage] + FilterFunction.allCases.map(call)
        all += AttributeType.narrowNames.map(narrow)
        return all + [false, true].flatMap { [.sum(isDecimal: $0), .average(isDecimal: $0)] }
    }()

    /// The prefix of all their names.
    static var prefix: String { "RECORDSTACK_" }

    var name: String {
        switch self {
        case .fold(let options): "RECORDSTACK_FOLD\(options.suffix)"
        case .match(let kind, let options): "RECORDSTACK_\(kind.rawValue)\(options.suffix)"
        case .decimal(let operation): "RECORDSTACK_DECIMAL_\(operation.name)"
        case .remainder: "RECORDSTACK_REMAINDER"
        case .call(let function): "RECORDSTACK_\(function.rawValue.uppercased())"
        case .value: "RECORDSTACK_VALUE"
        case .sum(let isDecimal): "RECORDSTACK_\(isDecimal ? "DECIMAL_" : "")SUM"
        case .average(let isDecimal): "RECORDSTACK_\(isDecimal ? "DECIMAL_" : "")AVERAGE"
        case .integerAverage: "RECORDSTACK_INTEGER_AVERAGE"
        case .narrow(let type): "RECORDSTACK_\(type.uppercased())"
        }
    }

    var argumentCount: Int32 {
        switch self {
        case .fold, .call, .sum, .average, .integerAverage, .narrow, .value: 1
        case .match, .decimal, .remainder: 2
        }
    }
}

extension TextOptions {
    /// The suffix of a format string's options: [c], [d] or [cd].
    fileprivate var suffix: String {
        isEmpty
            ? ""
            : "_" + (contains(.caseInsensitive) ? "C" : "")
                + (contains(.diacriticInsensitive) ? "D" : "")
    }
}

extension FilterArithmetic {
    fileprivate var name: String {
        switch self {
        case .add: "ADD"
        case .subtract: "SUBTRACT"
        case .multiply: "MULTIPLY"
        case .divide: "DIVIDE"
        case .modulo: "MODULO"
        }
    }
}
