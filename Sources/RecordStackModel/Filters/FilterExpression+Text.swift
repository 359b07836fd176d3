/// The type of a string in a filter: `String` or `String?`.
public protocol TextValue: AttributeValue {}

extension String: TextValue {}
extension Optional: TextValue where Wrapped == String {}

extension FilterExpression where Value: TextValue {
    /// Matches strings that equal the given string, compared with the options.
    ///
    /// Without options, the filter is the same as `==`.
    public func equals(_ text: String, _ options: TextOptions) -> Filter {
        comparison(.equal, .text(text), options)
    }

    /// Matches non-nil strings that begin with a prefix.
    ///
    /// Without options, SQLite can use an index of the attribute.
    public func hasPrefix(_ prefix: String, _ options: TextOptions = []) -> Filter {
        match(.hasPrefix, prefix, options)
    }

    /// Matches non-nil strings that end with a suffix.
    ///
    /// SQLite cannot use an index for this condition.
    public func hasSuffix(_ suffix: String, _ options: TextOptions = []) -> Filter {
        match(.hasSuffix, suffix, options)
    }

    /// Matches non-nil strings that contain the given string.
    ///
    /// SQLite cannot use an index for this condition.
    public func contains(_ part: String, _ options: TextOptions = []) -> Filter {
        match(.contains, part, options)
    }

    /// Matches non-nil strings that fit a pattern with wildcards.
    ///
    /// In the pattern, `*` matches any number of characters, `?` matches one Unicode scalar, and a
    /// backslash escapes the next character. The pattern must match the whole string. A pattern
    /// whose only wildcard is a final `*` is tested as a prefix.
    public func like(_ pattern: String, _ options: TextOptions = []) -> Filter {
        match(.like, pattern, options)
    }

    /// Matches non-nil strings that match a regular expression as a whole.
    ///
    /// SQLite cannot use an index for this condition. The language is a subset of Swift's regular
    /// expressions, in which the time of a match is proportional to the length of the string. The
    /// page *Filters, sort orders and pages* describes the language. If the pattern is invalid, the
    /// request throws ``RecordStackError/Code/misuse``.
    public func matches(_ pattern: String, _ options: TextOptions = []) -> Filter {
        match(.matches, pattern, options)
    }

    private func match(
        _ match: Filter.TextMatch, _ pattern: String, _ options: TextOptions
    ) -> Filter {
        filter { .text($0, match, .value(.text(pattern)), options) }
    }

    /// Matches strings that begin with the value of another expression.
    public func hasPrefix(
        _ prefix: FilterExpression<some TextValue>, _ options: TextOptions = []
    ) -> Filter { match(.hasPrefix, prefix, options) }

    /// Matches strings that end with the value of another expression.
    public func hasSuffix(
        _ suffix: FilterExpression<some TextValue>, _ options: TextOptions = []
    ) -> Filter { match(.hasSuffix, suffix, options) }

    /// Matches strings that contain the value of another expression.
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

    /// Returns the string in lower case, with the same result in every language.
    public func lowercased() -> FilterExpression { map { .function(.lowercase, $0) } }

    /// Returns the string in upper case, with the same result in every language.
    public func uppercased() -> FilterExpression { map { .function(.uppercase, $0) } }
}

extension FilterExpression where Value == String {
    /// The number of characters.
    public var count: FilterExpression<Int> { map { .function(.length, $0) } }
}

extension FilterExpression where Value == String? {
    /// The number of characters, or nil if the string is nil.
    public var count: FilterExpression<Int?> { map { .function(.length, $0) } }
}
