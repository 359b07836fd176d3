/// A format string with its arguments, for an entity that is not known yet.
package struct FilterFormat: Sendable, Hashable {
    let format: String
    let arguments: [FormatLiteral]
    let variables: [String: FormatLiteral]

    init(
        _ format: String, _ arguments: [(any FormatArgument)?],
        _ variables: [String: (any FormatArgument)?]
    ) {
        self.format = format
        self.arguments = arguments.map(Self.literal)
        self.variables = variables.mapValues(Self.literal)
    }

    private static func literal(_ argument: (any FormatArgument)?) -> FormatLiteral {
        argument?.formatValue.literal ?? .null
    }

    /// Returns the condition on the objects of an entity.
    ///
    /// - Throws: ``RecordStackError/Code/misuse``. The message
    ///   says what is wrong, and where in the format.
    func condition(for entity: EntityDescription) throws -> Filter.Node {
        try condition(in: FormatScope(entity))
    }

    /// Returns the condition on the objects to which its names refer.
    func condition(in scope: FormatScope) throws -> Filter.Node {
        let source = Array(format.unicodeScalars)
        do {
            var parser = try FormatParser(source, arguments)
            let term = try parser.format()
            let node = try FormatResolver(source: source, variables: variables)
                .condition(term, scope)
            if node.levels > FilterLevels.most {
                throw FormatProblem(FilterLevels.message, at: 0)
            }
            return node
        } catch let problem as FormatProblem {
            throw problem.error(in: source, entity: scope.root)
        }
    }

    /// Returns the condition, or throws if there are no objects to which its names can refer.
    func condition(inAny scope: FormatScope?) throws -> Filter.Node {
        guard let scope else {
            throw RecordStackError(
                .misuse,
                "\(self) stands where no entity's objects are asked for, so that its names mean "
                    + "nothing. Write the condition as a closure.")
        }
        return try condition(in: scope)
    }
}

extension FilterFormat: CustomStringConvertible {
    /// The format itself, without its arguments.
    package var description: String { "format(\"\(format)\")" }
}

// Arguments are equal if they put the same value into a filter.
extension FormatLiteral: Hashable {
    static func == (lhs: FormatLiteral, rhs: FormatLiteral) -> Bool {
        switch (lhs, rhs) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
        case (.value(let a, let type), .value(let b, let other)):
            a == b && type.name == other.name && type.isComparable(with: other)
        case (.object(let a), .object(let b)): a == b
        case (.list(let a, let whole), .list(let b, let other)):
            a == b && whole?.storedValue == other?.storedValue
        default: false
        }
    }

    func hash(into hasher: inout Hasher) {
        switch self {
        case .null: break
        case .bool(let value): hasher.combine(value)
        case .number(let number): hasher.combine(number)
        case .text(let text): for unit in text.utf8 { hasher.combine(unit) }
        case .value(let value, _): hasher.combine(value)
        case .object(let id): hasher.combine(id)
        case .list(let items, _): hasher.combine(items)
        }
    }
}
