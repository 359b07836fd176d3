/// The messages about broken rules, without the name of the property before them.
package enum RuleText {
    static func text(of rule: ValidationFailure.Rule, type: AttributeType?) -> String {
        switch rule {
        case .required: "needs a value"
        case .type(let name): "must fit into \(name)"
        case .range(let range): text(of: range, type: type)
        case .length(let range): length(range, unit: type == .data ? "byte" : "character")
        case .count(let range): length(range, unit: "member")
        case .pattern(let pattern): "must match the pattern \(pattern)"
        case .oneOf(let values): "must be \(list(values.map { text(of: $0, type) }))"
        case .encodable: "must be a value that can be encoded"
        case .depth(let most):
            "must have at most \(most) arrays and objects inside of one another"
        case .custom(let message): message
        case .validateForInsert: "cannot be inserted"
        case .validateForUpdate: "cannot be updated"
        case .validateForDelete: "cannot be deleted"
        }
    }

    private static func text(of range: ValueRange, type: AttributeType?) -> String {
        let lower = range.lowerBound.map { text(of: $0, type) }
        let upper = range.upperBound.map { text(of: $0, type) }
        let isDate = type == .date
        switch (lower, upper) {
        case (let lower?, let upper?) where range.includesUpperBound:
            return lower == upper ? "must be \(lower)" : "must be between \(lower) and \(upper)"
        case (let lower?, let upper?):
            return isDate
                ? "must not be before \(lower), and must be before \(upper)"
                : "must be at least \(lower) and less than \(upper)"
        case (let lower?, nil):
            return isDate ? "must not be before \(lower)" : "must be at least \(lower)"
        case (nil, let upper?) where range.includesUpperBound:
            return isDate ? "must not be after \(upper)" : "must be at most \(upper)"
        case (nil, let upper?):
            return isDate ? "must be before \(upper)" : "must be less than \(upper)"
        case (nil, nil): return "is out of range"
        }
    }

    static func length(_ range: ClosedRange<Int>, unit: String) -> String {
        func units(_ count: Int) -> String { "\(count) \(unit)\(count == 1 ? "" : "s")" }
        let (lower, upper) = (range.lowerBound, range.upperBound)
        if lower == upper { return "must have exactly \(units(lower))" }
        if upper == .max { return "must have at least \(units(lower))" }
        if lower == 0 { return "must have at most \(units(upper))" }
        return "must have between \(lower) and \(units(upper))"
    }

    /// Returns the text of a value, without quotes, for a message that people read.
    private static func text(of value: StoredValue, _ type: AttributeType?) -> String {
        if case .text(let text) = value { return text }
        return type.map { ValueText.text(of: value, type: $0) } ?? "\(value)"
    }

    private static func list(_ texts: [String]) -> String {
        if texts.count < 2 { return texts.first ?? "one of none" }
        return "one of \(texts.dropLast().joined(separator: ", ")) or \(texts[texts.count - 1])"
    }
}

extension RuleText {
    /// Returns a message as a sentence.
    ///
    /// A message that begins with a capital letter is a sentence already. Any other message
    /// follows the property's name.
    static func sentence(_ property: String?, _ text: String) -> String {
        if isSentence(text) { return closed(text) }
        guard let property else { return closed(text.prefix(1).uppercased() + text.dropFirst()) }
        return closed("\(label(of: property)) \(text)")
    }

    static func isSentence(_ text: String) -> Bool { text.first?.isUppercase ?? false }

    static func closed(_ text: String) -> String {
        guard let last = text.last, !".!?…".contains(last) else { return text }
        return text + "."
    }

    /// Returns a property's name as people write it.
    ///
    /// `firstName` and `first_name` become `First name`, and `homepageURL` becomes `Homepage URL`.
    package static func label(of property: String) -> String {
        var words: [String] = [""]
        let letters = Array(property)
        for (index, letter) in letters.enumerated() {
            if letter == "_" || letter == " " {
                words.append("")
                continue
            }
            let isAfterSmall = index > 0 && !letters[index - 1].isUppercase
            let isBeforeSmall = index + 1 < letters.count && letters[index + 1].isLowercase
            if letter.isUppercase && index > 0 && (isAfterSmall || isBeforeSmall) {
                words.append("")
            }
            words[words.count - 1].append(letter)
        }
        let spoken = words.filter { !$0.isEmpty }.map { word in
            // An abbreviation keeps its capital letters.
            word.count > 1 && word.allSatisfy { !$0.isLowercase } ? word : word.lowercased()
        }.joined(separator: " ")
        return spoken.prefix(1).uppercased() + spoken.dropFirst()
    }
}
