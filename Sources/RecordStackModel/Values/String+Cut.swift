extension String {
    /// The text as a message has it: so many Unicode scalars of it at most. A single character may have any number of them.
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
    /// Keys of a source divided by dots, as a message has them: each cut where it is long, and of many those at both ends.
    package var pathExcerpt: String {
        let most = 10
        let steps = map { $0.cut(to: 40) }
        if steps.count <= 2 * most { return steps.joined(separator: ".") }
        return (steps.prefix(most) + ["…"] + steps.suffix(most)).joined(separator: ".")
    }
}
