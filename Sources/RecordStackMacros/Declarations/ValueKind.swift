#if Macros
    import SwiftSyntax

    /// What kind of values a type has, where its name is enough to tell.
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
        /// `Int` of `Swift.Int`.
        var lastStep: String { split(separator: ".").last.map(String.init) ?? self }

        /// The type inside of an Optional.
        var withoutOptional: String {
            if hasSuffix("?") { return String(dropLast()) }
            return hasPrefix("Optional<") ? String(dropFirst("Optional<".count).dropLast()) : self
        }
    }

    extension PropertyDeclaration {
        /// The type of its values, without Optional.
        var plainType: String { type.withoutOptional }
    }

    extension PatternBindingSyntax {
        /// Whether a literal is none of the type that is written before it. Of types that a program may make of literals, as a
        /// URL of a text, nobody knows here.
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

    /// The bounds of a range as it is written.
    struct RangeSyntax {
        private(set) var lower: ExprSyntax?
        private(set) var upper: ExprSyntax?

        init(_ expression: ExprSyntax) {
            if let sequence = expression.as(SequenceExprSyntax.self) {
                // Of more operators than one, nobody knows here which comes first.
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
        /// The number that it is, where it is written out.
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

        /// What kind of value it is, where it is written out.
        var literalKind: ValueKind? {
            if number != nil { return .number }
            if self.is(StringLiteralExprSyntax.self) { return .text }
            return self.is(BooleanLiteralExprSyntax.self) ? .truth : nil
        }
    }
#endif
