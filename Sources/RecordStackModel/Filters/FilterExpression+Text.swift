/// A text in a filter: `String` or `String?`.
public protocol TextValue: AttributeValue {}

extension String: TextValue {}
extension Optional: TextValue where Wrapped == String {}

extension FilterExpression where Value: TextValue {
    /// Matches texts that are equal to a text after both are folded.
    ///
    /// Without options, the filter is the same as that of `==`.
    public func equals(_ text: String, _ options: TextOptions) -> Filter {
        comparison(.equal, .text(text), options)
    }

    /// Matches texts that begin with a prefix, but never nil.
    ///
    /// Without options, an index serves the filter.
    public func hasPrefix(_ prefix: String, _ options: TextOptions = []) -> Filter {
        match(.hasPrefix, prefix, options)
    }

    /// Matches texts that end with a suffix, but never nil.
    ///
    /// The filter reads every row.
    public func hasSuffix(_ suffix: String, _ options: TextOptions = []) -> Filter {
        match(.hasSuffix, suffix, options)
    }

    /// Matches texts that contain a text, but never nil.
    ///
    /// The filter reads every row.
    public func contains(_ part: String, _ options: TextOptions = []) -> Filter {
        match(.contains, part, options)
    }

    /// Matches texts that fit a pattern with wildcards, but never nil.
    ///
    /// In the pattern, `*` matches any characters, `?` matches one Unicode scalar, and a backslash
    /// escapes the next character. The pattern must match the whole text. A pattern whose only
    /// wildcard is a `*` at its end is tested as a prefix.
    public func like(_ pattern: String, _ options: TextOptions = []) -> Filter {
        match(.like, pattern, options)
    }

    /// Matches texts that a regular expression matches as a whole, but never nil.
    ///
    /// The filter reads every row.
    ///
    /// The language is the part of Swift's regular expressions that can be matched in time
    /// proportional to the length of the text. The page on filters describes it. An invalid pattern
    /// makes the request throw ``RecordStackError/Code/misuse``.
    public func matches(_ pattern: String, _ options: TextOptions = []) -> Filter {
        match(.matches, pattern, options)
    }

    private func match(
        _ match: Filter.TextMatch, _ pattern: String, _ options: TextOptions
    ) -> Filter {
        filter { .text($0, match, .value(.text(pattern)), options) }
    }

    /// Matches texts that begin with another text of the object.
    public func hasPrefix(
        _ prefix: FilterExpression<some TextValue>, _ options: TextOptions = []
    ) -> Filter { match(.hasPrefix, prefix, options) }

    /// Matches texts that end with another text of the object.
    public func hasSuffix(
        _ suffix: FilterExpression<some TextValue>, _ options: TextOptions = []
    ) -> Filter { match(.hasSuffix, suffix, options) }

    /// Matches texts that contain another text of the object.
    public func contains(
        _ part: FilterExpression<some TextValue>, _ options: TextOptions = []
    ) -> Filter { match(.contains, part, options) }

    private func match(
        _ match: Filter.TextMatch, _ other: FilterExpression<some TextValue>,
        _ options: TextOptions
    ) -> Filter {
        guard let pattern = other.operand else { return Filter(.invalid(other.problem)) }
        return filter { .text($0, match, pattern, options) }
    }

    /// Returns the text in lower case, in the same way for every language.
    public func lowercased() -> FilterExpression { map { .function(.lowercase, $0) } }

    /// Returns the text in upper case, in the same way for every language.
    public func uppercased() -> FilterExpression { map { .function(.uppercase, $0) } }
}

extension FilterExpression where Value == String {
    /// The number of characters.
    public var count: FilterExpression<Int> { map { .function(.length, $0) } }
}

extension FilterExpression where Value == String? {
    /// The number of characters; nil if the text is nil.
    public var count: FilterExpression<Int?> { map { .function(.length, $0) } }
}
