/// Builds terms from tokens, and inserts the arguments.
struct FormatParser {
    let source: [Unicode.Scalar]
    let tokens: [FormatToken]
    let arguments: [FormatLiteral]
    var next = 0
    var nextArgument = 0
    private var depth = 0
    private var operators = 0
    private var calculations = 0

    /// The maximum number of nested expressions, each of which takes space on the thread's stack.
    ///
    /// The whole format string, a pair of brackets, the operand of a prefix, and the right side of
    /// an operator count as one each.
    static var mostDepth: Int { 100 }
    static var mostOperators: Int { 10_000 }
    /// The maximum number of arithmetic operators, each of which can deepen the filter's tree.
    static var mostCalculations: Int { 200 }
    /// The maximum number of operators in a row, because SQLite's parser takes a hundred brackets.
    static var mostInARow: Int { 60 }

    init(_ source: [Unicode.Scalar], _ arguments: [FormatLiteral]) throws {
        self.source = source
        self.arguments = arguments
        tokens = try FormatLexer.tokens(of: source)
    }

    /// Parses the whole format string.
    mutating func format() throws -> FormatTerm {
        let term = try expression(.or)
        guard token.kind == .end else { throw expected("AND, OR or the end") }
        if nextArgument < arguments.count {
            throw FormatProblem(
                "There are \(arguments.count) arguments, and signs for \(nextArgument) of them. "
                    + "A sign inside a text is part of the text.", at: token.range.lowerBound)
        }
        return term
    }

    // MARK: Tokens

    var token: FormatToken { tokens[next] }

    mutating func take() -> FormatToken {
        let token = token
        if token.kind != .end { next += 1 }
        return token
    }

    mutating func takes(_ symbol: FormatSymbol) -> Bool {
        guard token.kind == .symbol(symbol) else { return false }
        next += 1
        return true
    }

    mutating func require(_ symbol: FormatSymbol, _ purpose: String) throws {
        if !takes(symbol) { throw expected("\(symbol.rawValue) \(purpose)") }
    }

    func expected(_ what: String) -> FormatProblem {
        FormatProblem("\(what) was expected here, not \(found).", at: token.range.lowerBound)
    }

    /// The current token, as a message quotes it.
    private var found: String {
        if token.kind == .end { return "the end" }
        let text = String(text(of: token.range).prefix(40))
        if case .keyword = token.kind {
            return
                "\(text), which is a word of the language; for a property of that name write #\(text)"
        }
        return text
    }

    func text(of range: Range<Int>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: source[range])
        return String(view)
    }

    /// Returns the range from a token to the token that was taken last.
    func range(from start: FormatToken) -> Range<Int> {
        start.range
            .lowerBound..<max(start.range.upperBound, tokens[max(next - 1, 0)].range.upperBound)
    }

    // MARK: Operators

    /// The binding strength of operators, from the weakest to the strongest.
    enum Binding: Int {
        case or, and, comparison, sum, product, power

        var tighter: Binding { Binding(rawValue: rawValue + 1) ?? .power }
    }

    /// Parses a term whose operators bind at least as strongly as `binding`.
    mutating func expression(_ binding: Binding) throws -> FormatTerm {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.mostDepth else {
            throw FormatProblem(
                "There are more than \(Self.mostDepth) levels of brackets, NOT, members and right "
                    + "sides of operators in one another.",
                at: token.range.lowerBound)
        }
        let start = token
        var term = try prefixed()
        var isCompared = false
        while let found = infix, found.rawValue >= binding.rawValue {
            try count(found)
            // A comparison is a condition, and conditions cannot be compared. A row
            // of comparisons is therefore never deep.
            if found == .comparison {
                if isCompared { throw Self.comparedTwice(at: token.range.lowerBound) }
                isCompared = true
            } else if found.rawValue < Binding.comparison.rawValue {
                isCompared = false
            }
            term = try joined(term, found, from: start)
        }
        return term
    }

    private static func comparedTwice(at offset: Int) -> FormatProblem {
        FormatProblem(
            "A comparison cannot be compared again; join two comparisons by AND.", at: offset)
    }

    private mutating func count(_ operation: Binding) throws {
        switch operation {
        case .or, .and: operators += 1
        case .comparison: break
        case .sum, .product, .power: calculations += 1
        }
        guard operators <= Self.mostOperators, calculations <= Self.mostCalculations else {
            throw FormatProblem(
                "There are more than \(Self.mostOperators) AND and OR, or more than "
                    + "\(Self.mostCalculations) signs of arithmetic.", at: token.range.lowerBound)
        }
    }

    /// The binding strength of the operator at the current position; nil if there is no operator.
    private var infix: Binding? {
        switch token.kind {
        case .keyword(.or), .symbol(.or): .or
        case .keyword(.and), .symbol(.and): .and
        case .keyword(.isIn), .keyword(.between): .comparison
        case .keyword(let word) where word.textMatch != nil: .comparison
        case .symbol(let symbol) where symbol.comparison != nil: .comparison
        case .symbol(.plus), .symbol(.minus): .sum
        case .symbol(.times), .symbol(.divided): .product
        case .symbol(.power): .power
        default: nil
        }
    }

    private mutating func joined(
        _ left: FormatTerm, _ binding: Binding, from start: FormatToken
    ) throws -> FormatTerm {
        let sign = take()
        switch binding {
        case .or:
            var terms = left.alternatives
            try gather(&terms, binding)
            return FormatTerm(kind: .any(terms), range: range(from: start))
        case .and:
            var terms = left.conditions
            try gather(&terms, binding)
            return FormatTerm(kind: .all(terms), range: range(from: start))
        case .comparison:
            let comparison = try comparison(sign)
            let right = try expression(.sum)
            return FormatTerm(
                kind: .comparison(left, comparison, right), range: range(from: start))
        case .sum, .product:
            return try calculated(left, sign, binding, from: start)
        case .power:
            throw FormatProblem(
                "There is no ** here: write a product.", at: sign.range.lowerBound)
        }
    }

    /// Collects the terms of a chain, after its first operator was taken.
    private mutating func gather(_ terms: inout [FormatTerm], _ binding: Binding) throws {
        terms.append(try expression(binding.tighter))
        while infix == binding {
            try count(binding)
            next += 1
            terms.append(try expression(binding.tighter))
        }
    }

    /// Collects consecutive calculations in one term, so that a long row of them is not deep.
    private mutating func calculated(
        _ left: FormatTerm, _ sign: FormatToken, _ binding: Binding, from start: FormatToken
    ) throws -> FormatTerm {
        var steps: [(FilterArithmetic, FormatTerm)] = []
        var sign = sign
        while true {
            steps.append((sign.arithmetic, try expression(binding.tighter)))
            guard infix == binding else { break }
            try count(binding)
            guard steps.count < Self.mostInARow else {
                throw FormatProblem(
                    "There are more than \(Self.mostInARow) signs of arithmetic in a row.",
                    at: token.range.lowerBound)
            }
            sign = take()
        }
        return FormatTerm(kind: .arithmetic(left, steps), range: range(from: start))
    }

    private mutating func comparison(_ sign: FormatToken) throws -> FormatComparison {
        let operation: FormatComparison.Operation
        switch sign.kind {
        case .keyword(.isIn): operation = .isIn
        case .keyword(.between): operation = .between
        case .keyword(let word): operation = .text(word.textMatch ?? .contains)
        case .symbol(let symbol): operation = .order(symbol.comparison ?? .equal)
        default: throw expected("A comparison")
        }
        return FormatComparison(
            operation: operation, options: try options(), word: text(of: sign.range),
            offset: sign.range.lowerBound)
    }

    /// Parses `[c]`, `[d]` or `[cd]`; returns no options if there are no brackets.
    private mutating func options() throws -> TextOptions {
        guard takes(.openIndex) else { return [] }
        var options: TextOptions = []
        guard case .name(let letters, isMarked: false) = token.kind else {
            throw expected("c, d or cd")
        }
        for letter in letters {
            switch letter {
            case "c", "C": options.insert(.caseInsensitive)
            case "d", "D": options.insert(.diacriticInsensitive)
            default:
                throw FormatProblem(
                    "The option \(letter) has no meaning here. There are c for upper and lower case "
                        + "alike, and d for letters with and without marks alike. Texts are compared by "
                        + "their bytes, without normalization and in no language's order.",
                    at: token.range.lowerBound)
            }
        }
        next += 1
        try require(.closeIndex, "behind the options")
        return options
    }
}

extension FormatToken {
    fileprivate var arithmetic: FilterArithmetic {
        switch kind {
        case .symbol(.plus): .add
        case .symbol(.minus): .subtract
        case .symbol(.times): .multiply
        default: .divide
        }
    }
}

extension FormatTerm {
    /// The terms that must all be true; only the term itself if it is not a chain of AND.
    fileprivate var conditions: [FormatTerm] {
        if case .all(let terms) = kind { terms } else { [self] }
    }

    fileprivate var alternatives: [FormatTerm] {
        if case .any(let terms) = kind { terms } else { [self] }
    }
}
