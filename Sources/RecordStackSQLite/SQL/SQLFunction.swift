import RecordStackModel

/// Functions that SQLite does not have, or has otherwise. Each variant has a name of its own, so that
/// SQL can be read, and holds nothing but names and parameters for values.
enum SQLFunction: Sendable, Hashable {
    case fold(TextOptions)
    case match(Filter.TextMatch, TextOptions)
    case decimal(FilterArithmetic)
    /// SQLite's own makes integers of real numbers, of which there is no remainder.
    case remainder
    case call(FilterFunction)
    case sum(isDecimal: Bool)
    case average(isDecimal: Bool)
    /// Of integers alone: an average would not show that there was a real number among them.
    case integerAverage
    /// The value, if it is one of an integer type that has fewer than 64 bits, by the type's name.
    case narrow(String)
    /// A value of a list, of the text that it stands as in JSON.
    case value

    /// In an order that does not change: the index of one is what SQLite keeps of it.
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

    /// What all of their names begin with.
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
    /// As in a format string: [c], [d] or [cd].
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
