/// A pattern of a filter, prepared for matching many texts.
package struct TextMatcher: Sendable {
    private enum Kind: Sendable {
        case bytes(Filter.TextMatch, [UInt8])
        case like([LikePattern.Piece])
        case matches(PatternMatcher)
    }

    private let kind: Kind
    private let options: TextOptions

    /// Prepares a pattern for matching.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for an invalid regular expression.
    package init(_ match: Filter.TextMatch, _ pattern: String, _ options: TextOptions) throws {
        self.options = options
        switch match {
        case .hasPrefix, .hasSuffix, .contains:
            kind = .bytes(match, Array(options.fold(pattern).utf8))
        case .like: kind = .like(LikePattern.pieces(of: pattern, options))
        case .matches: kind = .matches(try Self.matcher(pattern, options))
        }
    }

    private static func matcher(
        _ pattern: String, _ options: TextOptions
    ) throws -> PatternMatcher {
        do {
            // The engine ignores the case of the pattern's letters.
            // Folding the pattern would turn \D into \d.
            return try PatternMatcher(
                pattern, ignoresCase: options.contains(.caseInsensitive))
        } catch {
            throw RecordStackError(
                .misuse,
                "\(ValueText.quoted(NearNames.shortened(pattern))) is no regular expression: \(error)."
            )
        }
    }

    /// Whether a text matches.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a text
    ///   that is too long for a regular expression.
    package func holds(_ text: String) throws -> Bool {
        switch kind {
        case .bytes(let match, let part): return Self.holds(match, options.fold(text), part)
        case .like(let pieces):
            return LikePattern.matches(pieces, Array(options.fold(text).unicodeScalars))
        case .matches(let matcher):
            let marks = options.subtracting(.caseInsensitive)
            do {
                return try matcher.matches(marks.fold(text))
            } catch {
                throw RecordStackError(.misuse, "A regular expression was given up: \(error).")
            }
        }
    }

    private static func holds(
        _ match: Filter.TextMatch, _ text: String, _ part: [UInt8]
    ) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            switch match {
            case .hasPrefix: bytes.starts(with: part)
            case .hasSuffix:
                bytes.count >= part.count && bytes.suffix(part.count).elementsEqual(part)
            default: Self.contains(bytes, part)
            }
        }
    }

    private static func contains(_ bytes: UnsafeBufferPointer<UInt8>, _ part: [UInt8]) -> Bool {
        guard let first = part.first else { return true }
        if bytes.count < part.count { return false }
        for start in 0...(bytes.count - part.count)
        where bytes[start] == first && bytes[start...].starts(with: part) {
            return true
        }
        return false
    }
}

/// A pattern in which `*` matches any characters, `?` matches one, and a backslash escapes.
package enum LikePattern {
    enum Piece: Sendable, Equatable {
        case scalar(Unicode.Scalar), one, many
    }

    static func pieces(of pattern: String, _ options: TextOptions) -> [Piece] {
        var pieces: [Piece] = []
        var plain = ""
        func flush() {
            pieces += options.fold(plain).unicodeScalars.map(Piece.scalar)
            plain = ""
        }
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            switch scalar {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "*" where !isEscaped:
                flush()
                if pieces.last != .many { pieces.append(.many) }
            case "?" where !isEscaped:
                flush()
                pieces.append(.one)
            default: plain.unicodeScalars.append(scalar)
            }
            isEscaped = false
        }
        // A backslash at the end is itself.
        if isEscaped { plain.append("\\") }
        flush()
        return pieces
    }

    /// Returns the prefix that a pattern tests for; nil if the pattern does more.
    ///
    /// Such a pattern consists of literal characters and one `*` at its end.
    package static func prefix(of pattern: String) -> String? {
        let pieces = pieces(of: pattern, [])
        guard pieces.last == .many else { return nil }
        var prefix = String.UnicodeScalarView()
        for piece in pieces.dropLast() {
            guard case .scalar(let scalar) = piece else { return nil }
            prefix.append(scalar)
        }
        return String(prefix)
    }

    /// Whether a text matches.
    ///
    /// The search goes back only to the last `*`, so the
    /// time is at most the product of both lengths.
    static func matches(_ pieces: [Piece], _ text: [Unicode.Scalar]) -> Bool {
        var (offset, piece) = (0, 0)
        var retry: (piece: Int, offset: Int)?
        while offset < text.count {
            if piece < pieces.count, pieces[piece] == .many {
                retry = (piece + 1, offset)
                piece += 1
            } else if piece < pieces.count,
                pieces[piece] == .one || pieces[piece] == .scalar(text[offset])
            {
                (offset, piece) = (offset + 1, piece + 1)
            } else if let last = retry {
                retry = (last.piece, last.offset + 1)
                (piece, offset) = (last.piece, last.offset + 1)
            } else {
                return false
            }
        }
        return pieces[piece...].allSatisfy { $0 == .many }
    }
}
