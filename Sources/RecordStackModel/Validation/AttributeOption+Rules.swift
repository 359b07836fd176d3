extension AttributeOption {
    /// Requires that the value lies within bounds.
    ///
    /// ```swift
    /// @Attribute(.range(0...120)) var age: Int?
    /// @Attribute(.range(0...)) var price: Decimal = 0
    /// ```
    ///
    /// The bounds have the attribute's type or, for a number, another number type. For example, you
    /// can write the bounds of a Double, Float or Decimal as integers. Only a Decimal attribute can
    /// have Decimal bounds.
    ///
    /// Numbers are compared by their value and strings by their bytes, as in filters. Values of a
    /// custom type are compared by the type's `Comparable` conformance. A computed bound such as
    /// `...Date()` is computed only one time, when the entity's description is created.
    ///
    /// - Parameters:
    ///   - bounds: a range in any of Swift's forms.
    ///   - message: the message for values out of bounds, in place of “must be between 0 and 120”.
    public static func range<Bounds: RangeExpression & Sendable>(
        _ bounds: Bounds, message: String? = nil
    ) -> AttributeOption where Bounds.Bound: AttributeValue {
        rule { attribute throws(RuleProblem) in
            try RangeRule(bounds).check(of: attribute, message)
        }
    }

    /// Limits the number of characters of a string, or the number of bytes of data.
    ///
    /// ```swift
    /// @Attribute(.length(1...100)) var name: String
    /// @Attribute(.length(...65_536)) var picture: Data?
    /// ```
    ///
    /// A character is what a reader sees as one character. An é is one character, even if it is
    /// written as two Unicode scalars, and 👨‍👩‍👧 is one character, too. SQL's `length` counts
    /// scalars.
    ///
    /// - Parameters:
    ///   - bounds: a range in any of Swift's forms.
    ///   - message: the message for a wrong length, in place of “must have between 1 and 100
    ///     characters”.
    public static func length<Bounds: RangeExpression<Int> & Sendable>(
        _ bounds: Bounds, message: String? = nil
    ) -> AttributeOption {
        rule { attribute throws(RuleProblem) in
            try LengthRule(bounds).check(of: attribute, message)
        }
    }

    /// Requires that the whole string matches a regular expression.
    ///
    /// ```swift
    /// @Attribute(.pattern("[A-Z]{2}[0-9]{4}", message: "must be two letters and four digits"))
    /// var code: String
    /// ```
    ///
    /// The language is a subset of Swift's `Regex`, in which the time of a match is proportional to
    /// the length of the string, even if the pattern can match the string in many ways. The page
    /// *Filters, sort orders and pages* describes the language. You can write `^` and `$` around
    /// the pattern, or omit them. Patterns match characters, not scalars. If a pattern is invalid,
    /// creating a stack throws an error.
    ///
    /// - Parameters:
    ///   - pattern: the regular expression.
    ///   - message: the message for a mismatch, in place of “must match the pattern …”.
    public static func pattern(_ pattern: String, message: String? = nil) -> AttributeOption {
        rule { attribute throws(RuleProblem) in
            try PatternRule(pattern).check(of: attribute, message)
        }
    }

    /// Requires that the value is in a list of values.
    ///
    /// ```swift
    /// @Attribute(.oneOf("S", "M", "L")) var size: String = "M"
    /// ```
    ///
    /// The values have the attribute's type. For a number, they can have another number type, as in
    /// ``range(_:message:)``.
    ///
    /// - Parameters:
    ///   - values: the allowed values, at least one.
    ///   - message: the message for values not listed, in place of “must be one of S, M or L”.
    public static func oneOf<Value: AttributeValue>(
        _ values: Value..., message: String? = nil
    ) -> AttributeOption {
        rule { attribute throws(RuleProblem) in
            try ChoiceRule(values: values).check(of: attribute, message)
        }
    }

    /// Declares a custom rule.
    ///
    /// ```swift
    /// @Attribute(.validated("must be even") { (seats: Int) in seats.isMultiple(of: 2) })
    /// var seats: Int = 2
    /// ```
    ///
    /// - Parameters:
    ///   - message: the message for values that break the rule. If it begins with a capital letter,
    ///     it must be a complete sentence. RecordStack puts the property's name before any other
    ///     message.
    ///   - isValid: returns true if a value satisfies the rule. It receives only the value, and
    ///     runs on the thread that saves.
    public static func validated<Value: AttributeValue>(
        _ message: String, _ isValid: @escaping @Sendable (_ value: Value) -> Bool
    ) -> AttributeOption {
        rule { attribute throws(RuleProblem) in
            guard attribute.holds(Value.self) || attribute.isOptional(of: Value.self) else {
                throw RuleProblem(
                    text: "is of type \(attribute.typeName), and its rule “\(message)” is for "
                        + "values of type \(Value.wrappedTypeName). Write { (value: \(attribute.typeName)) in … }."
                )
            }
            return ValidationFailure.Rule.custom(message).check(of: attribute, nil) { stored in
                // A value of another type is reported when it is read.
                Value(storedValue: stored).map(isValid) ?? true
            }
        }
    }

    private static func rule(
        _ resolve: @escaping @Sendable (CheckedAttribute) throws(RuleProblem) -> AttributeCheck
    ) -> AttributeOption {
        AttributeOption { $0.rules.append(DeclaredRule(resolve: resolve)) }
    }
}
