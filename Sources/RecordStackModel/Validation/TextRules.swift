/// The allowed length of a text or data, as declared.
struct LengthRule: Sendable {
    private let range: ClosedRange<Int>?

    init(_ bounds: some RangeExpression<Int>) {
        let (lower, upper) =
            switch bounds {
            case let range as ClosedRange<Int>: (range.lowerBound, range.upperBound)
            case let range as Range<Int>: (range.lowerBound, range.upperBound - 1)
            case let range as PartialRangeFrom<Int>: (range.lowerBound, Int.max)
            case let range as PartialRangeThrough<Int>: (0, range.upperBound)
            case let range as PartialRangeUpTo<Int>: (0, range.upperBound - 1)
            default: (0, -1)
            }
        range = lower <= upper && upper >= 0 ? max(0, lower)...upper : nil
    }

    func check(
        of attribute: CheckedAttribute, _ message: String?
    ) throws(RuleProblem) -> AttributeCheck {
        let (name, type) = (attribute.typeName, attribute.type)
        guard type.name == AttributeType.string.name || type == .data else {
            throw RuleProblem(
                text:
                    "is of type \(name), and .length is of text and data. Write a rule of your own: "
                    + ".validated(\"…\") { (value: \(name)) in … }.")
        }
        guard let range else {
            throw RuleProblem(
                text: "has a .length that nothing can have. Write one like .length(1...100).")
        }
        return ValidationFailure.Rule.length(range).check(of: attribute, message) { value in
            switch value {
            case .text(let text): Self.has(text, range)
            case .blob(let bytes): range.contains(bytes.count)
            default: true
            }
        }
    }

    /// Whether the number of a text's characters is in a range.
    ///
    /// Counting characters is slow. A text has at most as many characters as bytes.
    private static func has(_ text: String, _ range: ClosedRange<Int>) -> Bool {
        let bytes = text.utf8.count
        if bytes < range.lowerBound { return false }
        if range.lowerBound <= min(bytes, 1) && bytes <= range.upperBound { return true }
        return range.contains(text.count)
    }
}

/// The regular expression for a text, as declared.
struct PatternRule: Sendable {
    private let pattern: String

    init(_ pattern: String) {
        self.pattern = pattern
    }

    func check(
        of attribute: CheckedAttribute, _ message: String?
    ) throws(RuleProblem) -> AttributeCheck {
        guard attribute.type.name == AttributeType.string.name else {
            let name = attribute.typeName
            throw RuleProblem(
                text: "is of type \(name), and .pattern is of text. Write a rule of your own: "
                    + ".validated(\"…\") { (value: \(name)) in … }.")
        }
        let matcher: PatternMatcher
        do {
            matcher = try PatternMatcher(pattern)
        } catch {
            throw RuleProblem(
                text:
                    "has a .pattern that is no regular expression: \(pattern) (\(error)). Correct it."
            )
        }
        return ValidationFailure.Rule.pattern(pattern).check(of: attribute, message) { value in
            guard case .text(let text) = value else { return true }
            // A text that is too long for the pattern cannot be checked, so it breaks the rule.
            return (try? matcher.matches(text)) ?? false
        }
    }
}
