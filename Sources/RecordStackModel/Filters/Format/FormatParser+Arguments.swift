// Arguments, each of which replaces a placeholder.
extension FormatParser {
    private mutating func nextLiteral(_ start: FormatToken) throws -> FormatLiteral {
        guard nextArgument < arguments.count else {
            throw FormatProblem(
                "There is no argument for this sign: \(arguments.count) were given.",
                at: start.range.lowerBound)
        }
        nextArgument += 1
        return arguments[nextArgument - 1]
    }

    mutating func argument(_ letters: String, _ start: FormatToken) throws -> FormatTerm {
        if letters == "K" {
            return FormatTerm(kind: .path(.root, try names(start)), range: start.range)
        }
        let literal = try nextLiteral(start)
        let kind = FormatArgumentKind(letters: letters) ?? .value
        let fits =
            switch (kind, literal) {
            case (.integer, .number(.integer)), (.integer, .number(.unsigned)), (.integer, .bool):
                true
            case (.real, .number), (.text, .text), (.value, _): true
            default: false
            }
        guard fits else {
            throw FormatProblem(
                "%\(letters) takes \(kind.wanted), and its argument is \(literal.typeName). %@ takes any value.",
                at: start.range.lowerBound)
        }
        return FormatTerm(kind: .literal(literal), range: start.range)
    }

    /// Returns the steps of the path that the next argument names.
    mutating func names(_ start: FormatToken) throws -> [FormatStep] {
        guard case .text(let path) = try nextLiteral(start) else {
            throw FormatProblem(
                "The argument for %K must be a text: the name of a property, or several with dots "
                    + "between them.", at: start.range.lowerBound)
        }
        // Scalars, because a dot and a combining mark after it form a different Character.
        return try path.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false).map {
            let name = String($0)
            guard name.utf8.first == UInt8(ascii: "@") else {
                return FormatStep(kind: .name(name), range: start.range)
            }
            guard let kind = FilterAggregate.Kind(formatName: String(name.dropFirst())) else {
                throw FormatProblem(
                    "\(NearNames.shortened(name)) has no meaning here. There are @count, @sum, @avg, @min and @max.",
                    at: start.range.lowerBound)
            }
            return FormatStep(kind: .aggregate(kind, of: nil), range: start.range)
        }
    }
}
