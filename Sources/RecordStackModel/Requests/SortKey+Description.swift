extension SortKey: CustomStringConvertible {
    /// A description of the key, such as `age descending with nil first`.
    ///
    /// The text is for people, and later versions may change it. If the key cannot be used, the
    /// text says why.
    public var description: String {
        do {
            return try term.text(FormatPrinter(Entity.entityDescription))
        } catch let failure as FormatPrinter.Failure {
            return "(\(failure.message))"
        } catch {
            return "(\(error))"
        }
    }
}

extension TextOptions: CustomStringConvertible {
    /// The names of the options in brackets.
    public var description: String {
        let names = [
            contains(.caseInsensitive) ? "caseInsensitive" : nil,
            contains(.diacriticInsensitive) ? "diacriticInsensitive" : nil,
        ]
        return "[\(names.compactMap(\.self).joined(separator: ", "))]"
    }
}

extension FilterExpression: CustomStringConvertible {
    /// The value in the syntax of format strings, such as `age + 1`.
    ///
    /// If the expression cannot be used, the text says why.
    public var description: String {
        guard let operand else { return "(\(problem))" }
        // A comparison determines how the value prints, and which entity it is about.
        let text = Filter(.isNull(operand)).description
        return text.hasSuffix(" == NULL") ? String(text.dropLast(8)) : text
    }
}

extension Prefetch: CustomStringConvertible {
    /// The relationships of the path in their order, such as `team.members`.
    ///
    /// If the path cannot be used, the text says why.
    public var description: String {
        if !problem.isEmpty { return "(\(problem))" }
        return steps.map { $0.owner.relationships[$0.relationship].name }.joined(separator: ".")
    }
}
