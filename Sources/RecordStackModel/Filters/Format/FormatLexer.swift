/// Splits a format string into tokens.
struct FormatLexer {
    let source: [Unicode.Scalar]
    var offset = 0
    private var tokens: [FormatToken] = []

    /// The maximum length of a format string in scalars, which no useful filter reaches.
    static var mostScalars: Int { 1 << 20 }

    init(_ source: [Unicode.Scalar]) {
        self.source = source
    }

    static func tokens(of source: [Unicode.Scalar]) throws -> [FormatToken] {
        guard source.count <= mostScalars else {
            throw FormatProblem(
                "It is longer than \(mostScalars) characters, the most that there may be.", at: 0)
        }
        var lexer = FormatLexer(source)
        while try lexer.next() {}
        return lexer.tokens
    }

    // MARK: Scalars

    func scalar(_ distance: Int = 0) -> Unicode.Scalar? {
        offset + distance < source.count ? source[offset + distance] : nil
    }

    func text(_ range: Range<Int>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: source[range])
        return String(view)
    }

    static func startsName(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isXIDStart
    }

    static func continuesName(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isXIDContinue
    }

    /// Reads the name that begins here; returns nil if no name does.
    mutating func name() -> String? {
        guard let first = scalar(), Self.startsName(first) else { return nil }
        let start = offset
        while let next = scalar(), Self.continuesName(next) { offset += 1 }
        return text(start..<offset)
    }

    // MARK: Tokens

    private mutating func add(_ kind: FormatToken.Kind, from start: Int) {
        tokens.append(FormatToken(kind: kind, range: start..<offset))
    }

    /// Reads the next token, and returns false at the end of the string.
    private mutating func next() throws -> Bool {
        while let scalar = scalar(), scalar.properties.isWhitespace { offset += 1 }
        let start = offset
        guard let first = scalar() else {
            add(.end, from: start)
            return false
        }
        switch first {
        case "'", "\"": add(.text(try quoted()), from: start)
        case "0"..."9":
            let number = try number()
            tokens.append(FormatToken(kind: .number, range: start..<offset, number: number))
        case "#": try markedName(from: start)
        case "$": add(.variable(try name(behind: "$", "a variable's name")), from: start)
        case "@":
            add(.collection(try name(behind: "@", "count, sum, avg, min or max")), from: start)
        case "%": add(try argument(), from: start)
        default:
            if Self.startsName(first) {
                word(from: start)
            } else {
                try symbol(from: start)
            }
        }
        return true
    }

    private mutating func word(from start: Int) {
        guard let name = name() else { return }
        if functionParts() { return add(.function(text(start..<offset)), from: start) }
        add(
            FormatKeyword(word: name).map(FormatToken.Kind.keyword)
                ?? .name(name, isMarked: false), from: start)
    }

    /// Skips the colons of a function's name and the names between them.
    private mutating func functionParts() -> Bool {
        var end: Int?
        while scalar() == ":", scalar(1) != "=" {
            offset += 1
            end = offset
            if name() == nil { break }
        }
        guard let end else { return false }
        offset = end
        return true
    }

    private mutating func markedName(from start: Int) throws {
        offset += 1
        if scalar() == "\"" || scalar() == "'" {
            return add(.name(try quoted(), isMarked: true), from: start)
        }
        guard let name = name() else {
            throw FormatProblem("A property's name was expected behind #.", at: offset)
        }
        add(.name(name, isMarked: true), from: start)
    }

    private mutating func name(behind sign: String, _ wanted: String) throws -> String {
        offset += 1
        guard let name = name() else {
            throw FormatProblem("After \(sign), \(wanted) was expected.", at: offset)
        }
        return name
    }

    private mutating func argument() throws -> FormatToken.Kind {
        offset += 1
        guard let first = scalar() else {
            throw FormatProblem("After %, @, K or d was expected.", at: offset)
        }
        if first == "@" || first == "%" {
            offset += 1
            return first == "%" ? .text("%") : .argument("@")
        }
        let start = offset
        while let next = scalar(), next.isASCII, Self.continuesName(next), offset - start < 3 {
            offset += 1
            if !"hlqjzt".unicodeScalars.contains(next) { break }
        }
        let letters = text(start..<offset)
        guard FormatArgumentKind(letters: letters) != nil else {
            throw FormatProblem(
                "%\(letters.isEmpty ? "\(first)" : letters) has no meaning here. There are %@ for a "
                    + "value, %K for a property's name, %d and its like for an integer, %f for a "
                    + "number, %s for a text, and %% for a percent sign.", at: start - 1)
        }
        return .argument(letters)
    }

    private mutating func symbol(from start: Int) throws {
        for length in [2, 1] where offset + length <= source.count {
            guard let symbol = FormatSymbol(rawValue: text(offset..<(offset + length))) else {
                continue
            }
            offset += length
            return add(.symbol(symbol), from: start)
        }
        throw FormatProblem(
            "\(ValueText.quoted(text(offset..<(offset + 1)))) has no meaning here.", at: offset)
    }
}

/// The kind of an argument, as its placeholder says.
enum FormatArgumentKind {
    case value, name, integer, real, text

    /// The kind in words, for messages.
    var wanted: String {
        switch self {
        case .value: "a value"
        case .name: "the name of a property"
        case .integer: "an integer"
        case .real: "a number"
        case .text: "a text"
        }
    }

    /// Creates the kind from the letters after a percent sign; nil if they have no meaning.
    init?(letters: String) {
        switch letters {
        case "@": self = .value
        case "K": self = .name
        case "s": self = .text
        default:
            let sizes = letters.dropLast()
            guard let letter = letters.last else { return nil }
            if ["", "h", "hh", "l", "ll", "q", "j", "z", "t"].contains(sizes),
                "diuxXo".contains(letter)
            {
                self = .integer
            } else if ["", "l"].contains(sizes), "fFeEgGaA".contains(letter) {
                self = .real
            } else {
                return nil
            }
        }
    }
}
