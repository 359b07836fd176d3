// Needed for `_nfd` and `_nfc`, the normalization of the standard library, which offers it only to
// Foundation and may rename it. FoundationEssentials has no normalization, and Foundation itself
// doubles the time in which a program starts.
@_spi(_Unicode) import Swift

extension TextOptions {
    /// Returns a string in the form in which it is compared.
    ///
    /// Folding a folded string changes nothing.
    package func fold(_ text: String) -> String {
        var folded = text
        if contains(.caseInsensitive) { folded = folded.lowercased() }
        if contains(.diacriticInsensitive) {
            folded = Self.withoutMarks(folded)
            // Marks are removed from lowercase text, because lowercasing İ creates a mark.
            if contains(.caseInsensitive) { folded = folded.lowercased() }
        }
        return folded
    }

    private static func withoutMarks(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text._nfd where scalar.properties.generalCategory != .nonspacingMark {
            scalars.append(scalar)
        }
        return String(scalars)
    }

    /// Returns the order of two strings.
    package func compare(_ a: String, _ b: String, _ collation: Collation) -> Order {
        switch self {
        case []: collation.compare(a, b)
        case .caseInsensitive: Collation.caseInsensitive.compare(a, b)
        default: fold(a).compareBytes(to: fold(b))
        }
    }
}

extension String {
    /// The text's only scalar in composed form; nil if there are several scalars or none.
    var composedScalar: Unicode.Scalar? {
        let scalars = unicodeScalars
        if scalars.count == 1 { return scalars.first }
        var composed = _nfc.makeIterator()
        guard let first = composed.next(), composed.next() == nil else { return nil }
        return first
    }
}
