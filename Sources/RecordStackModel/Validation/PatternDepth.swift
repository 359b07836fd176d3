/// The standard library reads sets of characters inside of one another, and what joins them, by calling itself,
/// and ends the program where the thread's stack ends: with half a megabyte, at less than a hundred of them.
struct PatternDepth: Error, CustomStringConvertible {
    private static var most: Int { 20 }

    var description: String {
        "more than \(Self.most) sets in square brackets stand inside of one another, or are joined"
    }

    /// Whether a pattern has more sets in one another than are safe to read, or more signs that join them.
    static func isTooDeep(_ pattern: String) -> Bool {
        var (depth, joined) = (0, 0)
        var rest = Array(pattern.unicodeScalars)[...]
        while let next = rest.popFirst() {
            switch next {
            case "\\": skipEscaped(&rest)
            case "[":
                depth += 1
                // A bracket that stands first is one of the characters.
                if rest.first == "^" { rest.removeFirst() }
                if rest.first == "]" { rest.removeFirst() }
            case "]": depth = max(0, depth - 1)
            case "&", "-", "~":
                guard depth > 0, rest.first == next else { continue }
                rest.removeFirst()
                joined += 1
            default: continue
            }
            if depth > most || joined > most { return true }
        }
        return false
    }

    /// What stands behind a backslash: one character, or all between `\Q` and `\E`.
    private static func skipEscaped(_ rest: inout ArraySlice<Unicode.Scalar>) {
        guard rest.popFirst() == "Q" else { return }
        while let next = rest.popFirst() {
            if next == "\\" && rest.first == "E" {
                rest.removeFirst()
                return
            }
        }
    }
}
