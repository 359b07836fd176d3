extension SortKey: CustomStringConvertible {
    /// What is sorted by, and the direction where it is descending: `age descending with nil first`.
    ///
    /// It is for people to read, and may become another one. Of a key that cannot be used it says why.
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
    /// The names of the options.
    public var description: String {
        let names = [
            contains(.caseInsensitive) ? "caseInsensitive" : nil,
            contains(.diacriticInsensitive) ? "diacriticInsensitive" : nil,
        ]
        return "[\(names.compactMap(\.self).joined(separator: ", "))]"
    }
}

extension FilterExpression: CustomStringConvertible {
    /// The value as a format string has it: `age + 1`. Of one that cannot be used it says why.
    public var description: String {
        guard let operand else { return "(\(problem))" }
        // A comparison with the value tells how it prints, and what it is about.
        let text = Filter(.isNull(operand)).description
        return text.hasSuffix(" == NULL") ? String(text.dropLast(8)) : text
    }
}

extension Prefetch: CustomStringConvertible {
    /// The relationships, one after the other: `team.members`. Of a path that cannot be used it says why.
    public var description: String {
        if !problem.isEmpty { return "(\(problem))" }
        return steps.map { $0.owner.relationships[$0.relationship].name }.joined(separator: ".")
    }
}
