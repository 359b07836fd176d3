extension FetchRequest: CustomStringConvertible {
    /// A description of the request, with its condition as a format string.
    ///
    /// ```swift
    /// print(Person.where { $0.age >= 18 }.sorted(by: .descending(\.name)).limited(to: 10))
    /// // Person where age >= 18, sorted by name descending, limited to 10
    /// ```
    ///
    /// The text is for people, and later versions may change it.
    public var description: String {
        let printer = FormatPrinter(Entity.entityDescription)
        var parts = [Entity.entityDescription.name]
        if let filter {
            parts[0] += " where " + Self.text { try printer.text(filter.node) }
        }
        let order = sortKeys.map { key in
            Self.text { try key.term.text(printer) }
        }
        if !order.isEmpty { parts.append("sorted by " + order.joined(separator: " and ")) }
        if offset != 0 { parts.append("without the first \(offset)") }
        if let limit { parts.append("limited to \(limit)") }
        if !includesSubentities { parts.append("without subentities") }
        return parts.joined(separator: ", ")
    }

    /// Returns the text of a part, or the reason why the part cannot be used.
    private static func text(_ make: () throws -> String) -> String {
        do {
            return try make()
        } catch let failure as FormatPrinter.Failure {
            return "(\(failure.message))"
        } catch {
            return "(\(error))"
        }
    }
}

extension SortTerm {
    func text(_ printer: FormatPrinter) throws -> String {
        if !problem.isEmpty { throw FormatPrinter.Failure(message: problem) }
        var text = try printer.operand(operand) + options.formatText
        if let order = operand.collation.textOrder { text += " in the \(order)" }
        if !isAscending { text += " descending" }
        if nulls != Self.usualNulls(isAscending) {
            text += nulls == .first ? " with nil first" : " with nil last"
        }
        return text
    }
}
