#if Macros
    import SwiftSyntax

    /// The kind of a type's values, if the name of the type shows it.
    enum ValueKind {
        case number, text, data, date, truth, other

        init?(_ type: String) {
            switch type.lastStep {
            case "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32",
                "UInt64", "Double", "Float", "Decimal":
                self = .number
            case "String": self = .text
            case "Data": self = .data
            case "Date": self = .date
            case "Bool": self = .truth
            case "URL": self = .other
            default:
                guard type.hasPrefix("[") else { return nil }
                self = .other
            }
        }
    }

    extension String {
        /// The last component of a dotted name: `Int` for `Swift.Int`.
        var lastStep: String { split(separator: ".").last.map(String.init) ?? self }

        /// The type inside an Optional.
        var withoutOptional: String {
            if hasSuffix("?") { return String(dropLast()) }
            return hasPrefix("Optional<") ? String(dropFirst("Optional<".count).dropLast()) : self
        }
    }

    extension PropertyDeclaration {
        /// The type of the property's values, without Optional.
        var plainType: String { type.withoutOptional }
    }

    extension PatternBindingSyntax {
        /// Whether a literal cannot have the type that is written before it.
        ///
        /// False for types that a program can make expressible by such a literal, such as `URL` by
        /// a string literal.
        func isWrong(value: ExprSyntax) -> Bool {
            guard let type = typeAnnotation?.type.trimmedDescription else { return false }
            if value.is(NilLiteralExprSyntax.self) { return type.withoutOptional == type }
            guard let kind = ValueKind(type.withoutOptional), let literal = value.literalKind,
                [.number, .text, .truth].contains(kind)
            else { return false }
            let isFraction = value.number.map { $0 != $0.rounded() } ?? false
            return kind != literal || isFraction && type.withoutOptional.isIntegerType
        }
    }

    extension String {
        fileprivate var isIntegerType: Bool {
            lastStep.hasPrefix("Int") || lastStep.hasPrefix("UInt")
        }
    }

    /// The bounds of a range expression in the source.
    struct RangeSyntax {
        private(set) var lower: ExprSyntax?
        private(set) var upper: ExprSyntax?

        init(_ expression: ExprSyntax) {
            if let sequence = expression.as(SequenceExprSyntax.self) {
                // With more than one operator, the unparsed sequence does not show which one comes
                // first.
                guard sequence.elements.count == 3 else { return }
                lower = sequence.elements.first
                upper = sequence.elements.last
            } else if let from = expression.as(PostfixOperatorExprSyntax.self) {
                lower = from.expression
            } else if let upTo = expression.as(PrefixOperatorExprSyntax.self) {
                upper = upTo.expression
            }
        }
    }

    extension ExprSyntax {
        /// The value of a number literal, perhaps with a minus sign; nil for other expressions.
        var number: Double? {
            if let integer = self.as(IntegerLiteralExprSyntax.self) {
                return Double(integer.literal.text.filter { $0 != "_" })
            }
            if let real = self.as(FloatLiteralExprSyntax.self) {
                return Double(real.literal.text.filter { $0 != "_" })
            }
            guard let prefixed = self.as(PrefixOperatorExprSyntax.self),
                prefixed.operator.text == "-"
            else { return nil }
            return prefixed.expression.number.map { -$0 }
        }

        /// The kind of a literal; nil for other expressions.
        var literalKind: ValueKind? {
            if number != nil { return .number }
            if self.is(StringLiteralExprSyntax.self) { return .text }
            return self.is(BooleanLiteralExprSyntax.self) ? .truth : nil
        }
    }
#endif
