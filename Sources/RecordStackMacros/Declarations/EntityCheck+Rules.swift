#if Macros
    import SwiftDiagnostics
    import SwiftParser
    import SwiftSyntax

    // Checks the rules of attributes as far as the source allows. Creating a model checks the rest.
    extension EntityCheck {
        var rules: [Diagnostic] {
            entity.properties.filter { $0.kind == .attribute && !$0.isTransient }.flatMap {
                property in
                property.attribute.options.compactMap { option in
                    problem(of: option, property).map { Diagnostic($0, at: option.expression) }
                }
            }
        }

        private func problem(of option: OptionSyntax, _ property: PropertyDeclaration) -> String? {
            let kind = ValueKind(property.plainType)
            let name = property.name.trimmingBackticks
            switch option.name {
            case "range": return rangeProblem(option, name, property.plainType, kind)
            case "length":
                if kind == nil || kind == .text || kind == .data { return nil }
                return "\(name) is of type \(property.plainType), and .length is of text and data. "
                    + ownRule(property.plainType)
            case "pattern": return patternProblem(option, name, property.plainType, kind)
            case "oneOf": return choiceProblem(option, name, property.plainType, kind)
            case "validated": return closureProblem(option, name, property.plainType, kind)
            default: return nil
            }
        }

        private func ownRule(_ type: String) -> String {
            "Write a rule of your own: .validated(\"…\") { (value: \(type)) in … }."
        }

        private func rangeProblem(
            _ option: OptionSyntax, _ name: String, _ type: String, _ kind: ValueKind?
        ) -> String? {
            guard let bounds = option.values.first.map(RangeSyntax.init) else { return nil }
            if let lower = bounds.lower?.number, let upper = bounds.upper?.number, lower > upper {
                return "The bounds of \(name) are the wrong way round. Write the lower one first."
            }
            guard let kind else { return nil }
            if kind == .data || kind == .truth || kind == .other {
                return "\(name) is of type \(type), which has no order. " + ownRule(type)
            }
            for bound in [bounds.lower, bounds.upper] {
                guard let literal = bound?.literalKind, literal != kind else { continue }
                if kind == .text {
                    return
                        "\(name) is of type \(type), and its bounds are numbers. Write .length(…) for the "
                        + "number of its characters, or bounds that are text."
                }
                return
                    "\(name) is of type \(type), and its bounds are of another type. Write bounds of type "
                    + "\(type)."
            }
            return nil
        }

        private func patternProblem(
            _ option: OptionSyntax, _ name: String, _ type: String, _ kind: ValueKind?
        ) -> String? {
            if let kind, kind != .text {
                return "\(name) is of type \(type), and .pattern is of text. " + ownRule(type)
            }
            guard
                let pattern = option.values.first?.as(StringLiteralExprSyntax.self)?
                    .representedLiteralValue
            else { return nil }
            do {
                _ = try Regex(pattern)
                return nil
            } catch {
                return "The pattern of \(name) is no regular expression: \(error)."
            }
        }

        private func choiceProblem(
            _ option: OptionSyntax, _ name: String, _ type: String, _ kind: ValueKind?
        ) -> String? {
            if option.call?.arguments.isEmpty ?? true {
                return "\(name) has a .oneOf without a value. Write those that it may have."
            }
            guard let kind,
                let other = option.values.first(where: {
                    $0.literalKind != nil && $0.literalKind != kind
                })
            else { return nil }
            return
                "\(name) is of type \(type), and \(other.trimmedDescription) is none. Write values of type "
                + "\(type)."
        }

        private func closureProblem(
            _ option: OptionSyntax, _ name: String, _ type: String, _ kind: ValueKind?
        ) -> String? {
            let closure =
                option.call?.trailingClosure ?? option.values.last?.as(ClosureExprSyntax.self)
            guard kind != nil,
                case .parameterClause(let clause)? = closure?.signature?.parameterClause,
                let written = clause.parameters.first?.type?.trimmedDescription,
                let other = ValueKind(written.withoutOptional),
                kind != other
                    || kind == .number && written.withoutOptional.lastStep != type.lastStep
            else { return nil }
            return
                "\(name) is of type \(type), and its rule is for values of type \(written). Write "
                + "{ (value: \(type)) in … }."
        }
    }
#endif
