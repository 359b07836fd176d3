extension AttributeOption {
    /// Requires that the value lies within bounds.
    ///
    /// ```swift
    /// @Attribute(.range(0...120)) var age: Int?
    /// @Attribute(.range(0...)) var price: Decimal = 0
    /// ```
    ///
    /// The bounds are values of the attribute's type. For a number, they may be of another number
    /// type: you can write the bounds of a Double, Float or Decimal as integers. Decimal bounds
    /// need a Decimal attribute. Bounds are compared as in filters: numbers by their size, text by
    /// its bytes. A type of your own is compared in its `Comparable` order. A computed bound, such
    /// as `...Date()`, is computed once, together with the entity's description.
    ///
    /// - Parameters:
    ///   - bounds: a range in any of Swift's forms.
    ///   - message: the message about other values, instead of “must be between 0 and 120”.
    public static func range<Bounds: RangeExpression & Sendable>(
        _ bounds: Bounds, message: String? = nil
    ) -> AttributeOption where Bounds.Bound: AttributeValue {
        rule { attribute throws(RuleProblem) in
            try RangeRule(bounds).check(of: attribute, message)
        }
    }

    /// Limits the number of characters of a text, or the number of bytes of data.
    ///
    /// ```swift
    /// @Attribute(.length(1...100)) var name: String
    /// @Attribute(.length(...65_536)) var picture: Data?
    /// ```
    ///
    /// Characters are what people count: é is one character, written as one Unicode scalar or as
    /// two, and so is 👨‍👩‍👧. SQL's `length` counts scalars.
    ///
    /// - Parameters:
    ///   - bounds: a range in any of Swift's forms.
    ///   - message: the message about other values, instead of “must have between 1 and
    ///     100 characters”.
    public static func length<Bounds: RangeExpression<Int> & Sendable>(
        _ bounds: Bounds, message: String? = nil
    ) -> AttributeOption {
        rule { attribute throws(RuleProblem) in
            try LengthRule(bounds).check(of: attribute, message)
        }
    }

    /// Requires that the whole text matches a regular expression.
    ///
    /// ```swift
    /// @Attribute(.pattern("[A-Z]{2}[0-9]{4}", message: "must be two letters and four digits"))
    /// var code: String
    /// ```
    ///
    /// You can write `^` and `$` around the pattern, or omit them. The language is the part of
    /// Swift's `Regex` whose matching takes time in proportion to the text; the page on
    /// filters describes it. A pattern matches characters, not scalars. An invalid pattern is
    /// reported when you create a stack. Matching takes microseconds, even for a pattern that
    /// can match a text in many ways.
    ///
    /// - Parameters:
    ///   - pattern: the regular expression.
    ///   - message: the message about other values, instead of “must match the pattern …”.
    public static func pattern(_ pattern: String, message: String? = nil) -> AttributeOption {
        rule { attribute throws(RuleProblem) in
            try PatternRule(pattern).check(of: attribute, message)
        }
    }

    /// Requires that the value is one of a list of values.
    ///
    /// ```swift
    /// @Attribute(.oneOf("S", "M", "L")) var size: String = "M"
    /// ```
    ///
    /// The values are of the attribute's type. For a number, they may be of another number type, as
    /// with ``range(_:message:)``.
    ///
    /// - Parameters:
    ///   - values: the allowed values, at least one.
    ///   - message: the message about other values, instead of “must be one of S, M or L”.
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
    ///   - message: the message about values that break the rule. A message that begins with a
    ///     capital letter is a sentence. Any other message follows the property's name.
    ///   - isValid: returns true if a value satisfies the rule. It is called with the value alone,
    ///     on the thread that saves.
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
