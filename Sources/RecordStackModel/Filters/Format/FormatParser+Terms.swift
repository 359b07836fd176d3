// The operands between operators.
extension FormatParser {
    /// Parses a term with its prefix: NOT, a minus, ANY, ALL or NONE.
    mutating func prefixed() throws -> FormatTerm {
        let start = token
        switch start.kind {
        case .keyword(.not), .symbol(.not):
            next += 1
            let term = try expression(.comparison)
            return FormatTerm(kind: .not(term), range: range(from: start))
        case .symbol(.minus):
            next += 1
            return try negative(from: start)
        case .keyword(let word):
            guard let quantifier = word.quantifier else { return try postfixed() }
            next += 1
            let term = try expression(.comparison)
            return FormatTerm(kind: .quantified(quantifier, term), range: range(from: start))
        default: return try postfixed()
        }
    }

    private mutating func negative(from start: FormatToken) throws -> FormatTerm {
        if case .number = token.kind, tokens[next + 1].kind != .symbol(.dot),
            let number = token.number?.negated
        {
            next += 1
            return FormatTerm(kind: .literal(.number(number)), range: range(from: start))
        }
        let term = try expression(.power)
        return FormatTerm(kind: .negative(term), range: range(from: start))
    }

    /// Parses a term with the steps that follow it.
    private mutating func postfixed() throws -> FormatTerm {
        let start = token
        let term = try primary()
        var steps: [FormatStep] = []
        while true {
            if takes(.dot) {
                steps += try step()
            } else if token.kind == .symbol(.openIndex) {
                steps.append(try size())
            } else {
                break
            }
        }
        if steps.isEmpty { return term }
        if case .path(let base, let first) = term.kind {
            return FormatTerm(kind: .path(base, first + steps), range: range(from: start))
        }
        return FormatTerm(kind: .path(.term(term), steps), range: range(from: start))
    }

    private mutating func primary() throws -> FormatTerm {
        let start = take()
        func term(_ kind: FormatTerm.Kind) -> FormatTerm {
            FormatTerm(kind: kind, range: range(from: start))
        }
        switch start.kind {
        case .number: return term(.literal(.number(start.number ?? .integer(0))))
        case .text(let text): return term(.literal(.text(text)))
        case .argument(let letters): return try argument(letters, start)
        case .variable(let name): return term(.path(.variable(name), []))
        case .name(let name, let isMarked):
            if !isMarked, token.kind == .symbol(.open) { return try call(name, from: start) }
            return term(.path(.root, [FormatStep(kind: .name(name), range: start.range)]))
        case .function(let name): return try call(name, from: start)
        case .collection(let name):
            return term(.path(.root, [try aggregate(name, start)]))
        case .symbol(.open):
            let inner = try expression(.or)
            try require(
                .close,
                token.kind == .symbol(.comma)
                    ? "for the bracket at the beginning (a list stands in braces)"
                    : "for the bracket at the beginning")
            // The steps that follow apply to the term as a whole.
            // They do not extend the path inside of it.
            if case .path = inner.kind { return term(.path(.term(inner), [])) }
            return term(inner.kind)
        case .symbol(.openList):
            let terms = try terms(until: .closeList)
            return term(.list(terms))
        case .keyword(let word): return try keyword(word, start)
        default:
            next -= start.kind == .end ? 0 : 1
            throw expected("A value or a condition")
        }
    }

    private mutating func keyword(_ word: FormatKeyword, _ start: FormatToken) throws -> FormatTerm
    {
        let kind: FormatTerm.Kind
        switch word {
        case .truePredicate: kind = .constant(true)
        case .falsePredicate: kind = .constant(false)
        case .true, .yes: kind = .literal(.bool(true))
        case .false, .no: kind = .literal(.bool(false))
        case .null, .nil: kind = .literal(.null)
        case .itself: kind = .path(.root, [])
        case .subquery: return try subquery(from: start)
        case .cast: return try cast(from: start)
        case .fetch, .ternary, .function, .anyKey:
            throw FormatProblem(
                "\(word.rawValue) has no meaning here. For a property of that name write "
                    + "#\(text(of: start.range)).", at: start.range.lowerBound)
        default:
            next -= 1
            throw expected("A value or a condition")
        }
        return FormatTerm(kind: kind, range: start.range)
    }

    /// Parses terms with commas between them, and the symbol at their end.
    private mutating func terms(until end: FormatSymbol) throws -> [FormatTerm] {
        var terms: [FormatTerm] = []
        if takes(end) { return terms }
        repeat { terms.append(try expression(.or)) } while takes(.comma)
        try require(end, "or a comma")
        return terms
    }

    // MARK: Steps

    private mutating func step() throws -> [FormatStep] {
        let start = take()
        switch start.kind {
        case .name(let name, _): return [FormatStep(kind: .name(name), range: start.range)]
        // After a dot, only a name is possible.
        case .keyword: return [FormatStep(kind: .name(text(of: start.range)), range: start.range)]
        case .collection(let name): return [try aggregate(name, start)]
        case .argument("K"): return try names(start)
        default:
            next -= start.kind == .end ? 0 : 1
            throw expected("A property's name or @count and its like")
        }
    }

    private mutating func aggregate(_ name: String, _ start: FormatToken) throws -> FormatStep {
        guard let kind = FilterAggregate.Kind(formatName: name) else {
            throw FormatProblem(
                "@\(NearNames.shortened(name)) has no meaning here. There are @count, @sum, @avg, @min and @max.",
                at: start.range.lowerBound)
        }
        guard kind != .count, takes(.open) else {
            return FormatStep(kind: .aggregate(kind, of: nil), range: start.range)
        }
        let value = try expression(.or)
        try require(.close, "behind the value")
        return FormatStep(kind: .aggregate(kind, of: value), range: range(from: start))
    }

    /// Parses `[SIZE]`, which is the only index of a collection that has a meaning.
    private mutating func size() throws -> FormatStep {
        let start = take()
        guard token.kind == .keyword(.size) else {
            throw FormatProblem(
                "Members have no indexes here; there is [SIZE] alone, which is their number.",
                at: start.range.lowerBound)
        }
        next += 1
        try require(.closeIndex, "behind SIZE")
        return FormatStep(kind: .aggregate(.count, of: nil), range: range(from: start))
    }

    // MARK: Calls

    private mutating func call(_ name: String, from start: FormatToken) throws -> FormatTerm {
        try require(.open, "behind the name of a function")
        let terms = try terms(until: .close)
        return FormatTerm(kind: .call(name, terms), range: range(from: start))
    }

    private mutating func subquery(from start: FormatToken) throws -> FormatTerm {
        try require(.open, "behind SUBQUERY")
        let members = try expression(.sum)
        try require(.comma, "behind the members")
        guard case .variable(let name) = token.kind else {
            throw expected("A variable, such as $member,")
        }
        next += 1
        var condition: FormatTerm?
        if takes(.comma) { condition = try expression(.or) }
        try require(.close, "at the end of SUBQUERY")
        return FormatTerm(
            kind: .path(.subquery(members, variable: name, condition), []),
            range: range(from: start))
    }

    private mutating func cast(from start: FormatToken) throws -> FormatTerm {
        try require(.open, "behind CAST")
        let value = try expression(.sum)
        try require(.comma, "behind the value")
        guard case .text(let type) = token.kind else {
            throw expected("A type in quotes, such as \"NSDate\",")
        }
        next += 1
        try require(.close, "at the end of CAST")
        return FormatTerm(kind: .cast(value, to: type), range: range(from: start))
    }
}
