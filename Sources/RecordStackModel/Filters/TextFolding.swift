// The decomposition of the standard library, which offers it to Foundation alone under a name that it
// may change. FoundationEssentials has none, and Foundation itself doubles the time to start a program.
@_spi(_Unicode) import Swift

extension TextOptions {
    /// A text as it is compared. Folding twice changes nothing.
    package func fold(_ text: String) -> String {
        var folded = text
        if contains(.caseInsensitive) { folded = folded.lowercased() }
        if contains(.diacriticInsensitive) {
            folded = Self.withoutMarks(folded)
            // The marks of İ come into being where it is lowered.
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

    /// The order of two texts.
    package func compare(_ a: String, _ b: String, _ collation: Collation) -> Order {
        switch self {
        case []: collation.compare(a, b)
        case .caseInsensitive: Collation.caseInsensitive.compare(a, b)
        default: fold(a).compareBytes(to: fold(b))
        }
    }
}

extension String {
    /// The text's only scalar where the text is composed; nil where there are several, or none.
    var composedScalar: Unicode.Scalar? {
        let scalars = unicodeScalars
        if scalars.count == 1 { return scalars.first }
        var composed = _nfc.makeIterator()
        guard let first = composed.next(), composed.next() == nil else { return nil }
        return first
    }
}
