/// Text in a filter: `String` and `String?`.
public protocol TextValue: AttributeValue {}

extension String: TextValue {}
extension Optional: TextValue where Wrapped == String {}

extension FilterExpression where Value: TextValue {
    /// Values equal to a text when both are folded. Without options that is `==`.
    public func equals(_ text: String, _ options: TextOptions) -> Filter {
        comparison(.equal, .text(text), options)
    }

    /// Values that begin with a text; nil does not. Without options an index serves it.
    public func hasPrefix(_ prefix: String, _ options: TextOptions = []) -> Filter {
        match(.hasPrefix, prefix, options)
    }

    /// Values that end with a text; nil does not. Every row is looked at.
    public func hasSuffix(_ suffix: String, _ options: TextOptions = []) -> Filter {
        match(.hasSuffix, suffix, options)
    }

    /// Values that contain a text; nil does not. Every row is looked at.
    public func contains(_ part: String, _ options: TextOptions = []) -> Filter {
        match(.contains, part, options)
    }

    /// Values of a pattern in which `*` stands for any characters, `?` for one, and a backslash takes the
    /// next one as it is; nil is none. All of the text has to match. A pattern with one `*`, at its end, is a
    /// prefix.
    public func like(_ pattern: String, _ options: TextOptions = []) -> Filter {
        match(.like, pattern, options)
    }

    /// Values all of which a regular expression matches; nil is none. Every row is looked at.
    ///
    /// The language is the part of Swift's whose matching takes time in proportion to the text; the page on filters has it.
    /// A pattern that is none makes the request throw ``RecordStackError/Code/misuse``.
    public func matches(_ pattern: String, _ options: TextOptions = []) -> Filter {
        match(.matches, pattern, options)
    }

    private func match(
        _ match: Filter.TextMatch, _ pattern: String, _ options: TextOptions
    ) -> Filter {
        filter { .text($0, match, .value(.text(pattern)), options) }
    }

    /// Values that begin with another value of the object.
    public func hasPrefix(
        _ prefix: FilterExpression<some TextValue>, _ options: TextOptions = []
    ) -> Filter { match(.hasPrefix, prefix, options) }

    /// Values that end with another value of the object.
    public func hasSuffix(
        _ suffix: FilterExpression<some TextValue>, _ options: TextOptions = []
    ) -> Filter { match(.hasSuffix, suffix, options) }

    /// Values that contain another value of the object.
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

    /// The text in lower case, in any language the same.
    public func lowercased() -> FilterExpression { map { .function(.lowercase, $0) } }

    /// The text in upper case, in any language the same.
    public func uppercased() -> FilterExpression { map { .function(.uppercase, $0) } }
}

extension FilterExpression where Value == String {
    /// The number of characters.
    public var count: FilterExpression<Int> { map { .function(.length, $0) } }
}

extension FilterExpression where Value == String? {
    /// The number of characters; nil of nil.
    public var count: FilterExpression<Int?> { map { .function(.length, $0) } }
}
