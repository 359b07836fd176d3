extension String {
    /// Returns the text, cut to `count` Unicode scalars for a message.
    ///
    /// It counts scalars, because a single character may have any number of them.
    package func cut(to count: Int) -> String {
        let scalars = unicodeScalars
        guard
            let end = scalars.index(
                scalars.startIndex, offsetBy: count, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return self }
        return String(scalars[..<end]) + "…"
    }
}

extension Collection<String> {
    /// The keys of a source, separated by dots, for a message.
    ///
    /// Long keys are cut. Of many keys, only those at both ends are shown.
    package var pathExcerpt: String {
        let most = 10
        let steps = map { $0.cut(to: 40) }
        if steps.count <= 2 * most { return steps.joined(separator: ".") }
        return (steps.prefix(most) + ["…"] + steps.suffix(most)).joined(separator: ".")
    }
}
