extension AttributeOption {
    /// The value lies between bounds.
    ///
    /// ```swift
    /// @Attribute(.range(0...120)) var age: Int?
    /// @Attribute(.range(0...)) var price: Decimal = 0
    /// ```
    ///
    /// The bounds are values of the attribute's type, or, where that is a number, numbers: those of a
    /// Double, Float or Decimal may be written as integers. They are compared as in filters: numbers by
    /// their size, text by its bytes. What is computed, such as `...Date()`, is computed once, with the
    /// entity's description.
    ///
    /// - Parameters:
    ///   - bounds: a range in any of Swift's forms.
    ///   - message: what to say of other values, instead of “must be between 0 and 120”.
    public static func range<Bounds: RangeExpression & Sendable>(
        _ bounds: Bounds, message: String? = nil
    ) -> AttributeOption where Bounds.Bound: AttributeValue {
        rule { attribute throws(RuleProblem) in
            try RangeRule(bounds).check(of: attribute, message)
        }
    }

    /// A text has so many characters, or data so many bytes.
    ///
    /// ```swift
    /// @Attribute(.length(1...100)) var name: String
    /// @Attribute(.length(...65_536)) var picture: Data?
    /// ```
    ///
    /// Characters are what people count: é is one, written as one Unicode scalar or as two, and so is
    /// 👨‍👩‍👧. SQL's `length` counts scalars.
    ///
    /// - Parameters:
    ///   - bounds: a range in any of Swift's forms.
    ///   - message: what to say of other values, instead of “must have between 1 and 100 characters”.
    public static func length<Bounds: RangeExpression<Int> & Sendable>(
        _ bounds: Bounds, message: String? = nil
    ) -> AttributeOption {
        rule { attribute throws(RuleProblem) in
            try LengthRule(bounds).check(of: attribute, message)
        }
    }

    /// The whole of a text matches a regular expression, with or without `^` and `$` around it.
    ///
    /// ```swift
    /// @Attribute(.pattern("[A-Z]{2}[0-9]{4}", message: "must be two letters and four digits"))
    /// var code: String
    /// ```
    ///
    /// The language is the part of Swift's `Regex` whose matching takes time in proportion to the text; the page on
    /// filters has it. It matches characters, not scalars. A pattern that is none is found when a stack is
    /// made. Matching takes microseconds, also with patterns that can match the same text in many ways.
    ///
    /// - Parameters:
    ///   - pattern: the regular expression.
    ///   - message: what to say of other values, instead of “must match the pattern …”.
    public static func pattern(_ pattern: String, message: String? = nil) -> AttributeOption {
        rule { attribute throws(RuleProblem) in
            try PatternRule(pattern).check(of: attribute, message)
        }
    }

    /// The value is one of these.
    ///
    /// ```swift
    /// @Attribute(.oneOf("S", "M", "L")) var size: String = "M"
    /// ```
    ///
    /// The values are of the attribute's type, or, where that is a number, numbers.
    ///
    /// - Parameters:
    ///   - values: the values, at least one.
    ///   - message: what to say of other values, instead of “must be one of S, M or L”.
    public static func oneOf<Value: AttributeValue>(
        _ values: Value..., message: String? = nil
    ) -> AttributeOption {
        rule { attribute throws(RuleProblem) in
            try ChoiceRule(values: values).check(of: attribute, message)
        }
    }

    /// A rule of your own.
    ///
    /// ```swift
    /// @Attribute(.validated("must be even") { (seats: Int) in seats.isMultiple(of: 2) })
    /// var seats: Int = 2
    /// ```
    ///
    /// - Parameters:
    ///   - message: what to say of values that break the rule. One that begins with a capital letter
    ///     is a sentence; any other goes after the property's name.
    ///   - isValid: whether a value keeps the rule. It is called with the value alone, on the thread
    ///     that saves.
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
                // What is no value of the type is reported where it is read.
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
