import FoundationEssentials
import RecordStack
import TestSupport

/// A generator of random format strings about samples, with their arguments.
struct RandomFormats {
    var values: RandomValues
    private(set) var arguments: [(any FormatArgument)?] = []

    init(values: RandomValues) {
        self.values = values
    }

    private mutating func below(_ count: Int) -> Int { values.random.below(count) }

    private mutating func one(of texts: [String]) -> String {
        texts.randomElement(using: &values.random)!
    }

    /// Returns a complete format string and its arguments.
    mutating func format() -> (String, [(any FormatArgument)?]) {
        arguments = []
        return (condition(3), arguments)
    }

    private mutating func condition(_ depth: Int) -> String {
        guard depth > 0, values.random.chance(60) else { return comparison() }
        let word = one(of: ["AND", "and", "&&", "OR", "or", "||"])
        switch below(4) {
        case 0: return one(of: ["NOT ", "!", "not "]) + "(\(condition(depth - 1)))"
        case 1: return "(\(condition(depth - 1))) \(word) \(condition(depth - 1))"
        case 2: return "\(condition(depth - 1)) \(word) (\(condition(depth - 1)))"
        default: return "\(condition(depth - 1)) \(word) \(condition(depth - 1))"
        }
    }

    // MARK: Values

    /// Returns the text of a value, or a sign for an argument. Call it in the order of the format
    /// string, because arguments have that order.
    private mutating func value(_ value: any FormatArgument, _ text: String?) -> String {
        if let text, values.flag() { return text }
        arguments.append(value)
        return "%@"
    }

    private mutating func number() -> String {
        let number = values.number()
        return value(number, "\(number)")
    }

    private mutating func real() -> String {
        let real = values.real()
        return value(real, real.isFinite ? "\(real)" : nil)
    }

    private mutating func decimal() -> String {
        let decimal = values.decimal()
        return value(decimal, "\(decimal)")
    }

    private mutating func text() -> String {
        let text = values.text()
        let escaped = text.unicodeScalars.map {
            $0 == "'" || $0 == "\\" ? "\\\($0)" : "\($0)"
        }
        return value(text, "'\(escaped.joined())'")
    }

    private mutating func date() -> String {
        let date = values.date()
        return value(date, "CAST(\(date.timeIntervalSinceReferenceDate), 'NSDate')")
    }

    private mutating func many(_ value: (inout RandomFormats) -> String) -> String {
        let all = (0..<below(4)).map { _ in value(&self) }
        return "{\(all.joined(separator: ", "))}"
    }

    private mutating func order() -> String {
        one(of: ["=", "==", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>"])
    }

    private mutating func options() -> String { one(of: ["", "", "[c]", "[d]", "[cd]"]) }

    // MARK: Terms

    /// - Parameter prefix: the path before a sample's properties, with its dot.
    private mutating func numbers(_ prefix: String, _ depth: Int = 2) -> String {
        if depth > 0 && values.random.chance(40) {
            switch below(6) {
            case 0: return "(\(numbers(prefix, depth - 1)) + \(numbers(prefix, depth - 1)))"
            case 1: return "\(numbers(prefix, depth - 1)) * \(number())"
            case 2: return "(\(numbers(prefix, depth - 1)) - \(number()))"
            case 3: return "abs:(\(numbers(prefix, depth - 1)))"
            case 4: return "-(\(numbers(prefix, depth - 1)))"
            default: return "(\(numbers(prefix, depth - 1)) / \(number()))"
            }
        }
        let path = one(of: [
            "number", "maybeNumber", "owner.rank", "owner.senior.rank", "text.length",
            "marks.@count", "marks.@sum.weight", "owner.favorites.@count",
            "owner.samples.@max.number", "owner.juniors[SIZE]",
        ])
        if values.random.chance(10) { return "(\(prefix)small + \(number()))" }
        return path == "text.length" && values.flag()
            ? "length(\(prefix)text)" : prefix + path
    }

    private mutating func texts(_ prefix: String) -> String {
        let path =
            prefix
            + one(of: ["text", "maybeText", "owner.name", "owner.senior.name", "marks.@min.name"])
        return one(of: [path, path, "lowercase:(\(path))", "uppercase(\(path))"])
    }

    // MARK: Comparisons

    private mutating func comparison() -> String {
        switch below(12) {
        case 0: return "\(one(of: ["TRUEPREDICATE", "FALSEPREDICATE"]))"
        case 1, 2: return members()
        case 3: return subquery()
        case 4: return identity()
        default: return simple("")
        }
    }

    private mutating func simple(_ prefix: String) -> String {
        switch below(19) {
        case 16, 17, 18: return kind(prefix)
        case 0, 1: return "\(numbers(prefix)) \(order()) \(number())"
        case 2: return "\(number()) \(order()) \(numbers(prefix))"
        case 3: return "\(numbers(prefix)) \(order()) \(numbers(prefix))"
        case 4: return "\(numbers(prefix)) IN \(many { $0.number() })"
        case 5: return "\(numbers(prefix)) BETWEEN {\(number()), \(number())}"
        case 6: return "\(prefix)maybeReal \(order()) \(real())"
        case 7: return "\(prefix)decimal \(order()) \(decimal())"
        case 8: return "\(prefix)maybeDate \(order()) \(date())"
        case 9: return "\(prefix)flag \(one(of: ["== YES", "!= TRUE", "== NO", "= 0"]))"
        case 10: return "\(texts(prefix)) == \(one(of: ["nil", "NULL"]))"
        case 11: return "\(texts(prefix)) IN\(options()) {\(text()), \(text())}"
        case 12: return "\(texts(prefix)) \(order())\(options()) \(text())"
        case 13:
            return
                "\(texts(prefix)) MATCHES\(options()) \(one(of: ["'a.*'", "'[a-z]?'", "'É|ab+'"]))"
        case 14: return "\(prefix)decimal * \(decimal()) - 1 * 2 \(order()) \(decimal())"
        default:
            let word = one(of: ["BEGINSWITH", "contains", "ENDSWITH", "LIKE"])
            return "\(texts(prefix)) \(word)\(options()) \(values.flag() ? text() : texts(prefix))"
        }
    }

    /// Returns a comparison of an attribute that is stored as another type.
    private mutating func kind(_ prefix: String) -> String {
        switch below(7) {
        case 0: return "\(prefix)tone \(one(of: ["=", "!="])) \(value(values.tone(), "'é'"))"
        case 1: return "\(prefix)maybeTone IN {\(value(values.tone(), "'a'")), 'z'}"
        case 2: return "\(prefix)maybePitch \(order()) \(value(values.pitch(), "0"))"
        case 3: return "\(prefix)single \(order()) \(value(values.single(), "0.1"))"
        case 4: return "\(prefix)small \(order()) \(value(values.small(), "-1"))"
        case 5: return "\(prefix)maybeLink \(one(of: ["==", "<>"])) \(value(values.link(), "'x'"))"
        default: return "ANY \(prefix)owner.favorites.name \(order()) \(text())"
        }
    }

    private mutating func members() -> String {
        let word = one(of: ["ANY", "SOME", "ALL", "NONE"])
        switch below(6) {
        case 4:
            return
                "\(one(of: ["marks.@avg.share", "owner.samples.@avg.number"])) \(order()) \(real())"
        case 0: return "\(word) owner.samples.number \(order()) \(number())"
        case 1: return "\(word) marks.name \(one(of: ["BEGINSWITH", "=="]))\(options()) \(text())"
        case 2: return "\(word) owner.juniors.samples.number \(order()) maybeNumber"
        case 3: return "\(word) marks.price IN {\(decimal()), \(decimal())}"
        default: return "\(word) owner.samples.owner.rank BETWEEN {\(number()), number}"
        }
    }

    private mutating func subquery() -> String {
        let inner = "\(simple("$s.")) AND $s.number \(order()) number"
        let query = "SUBQUERY(owner.samples, $s, \(inner))"
        switch below(5) {
        case 4: return "\(query).@max(maybeNumber) \(order()) \(number())"
        case 0: return "\(query).@count \(order()) \(number())"
        case 1: return "\(one(of: ["ANY", "NONE"])) \(query)"
        case 2: return "\(query).@sum($s.number - number) \(order()) \(number())"
        default: return "ANY \(query).maybeNumber \(order()) \(number())"
        }
    }

    private mutating func identity() -> String {
        one(of: [
            "owner == nil", "owner.senior != NULL", "owner == owner.senior",
            "owner.samples CONTAINS SELF", "SELF IN owner.samples", "ANY owner.samples == SELF",
            "ALL owner.juniors.senior == owner", "owner.objectID != owner.senior.objectID",
        ])
    }
}
