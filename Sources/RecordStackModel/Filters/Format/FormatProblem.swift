/// A problem in a format string, and its location.
struct FormatProblem: Error {
    let message: String
    let offset: Int

    init(_ message: String, at offset: Int) {
        self.message = message
        self.offset = offset
    }
}

extension FormatProblem {
    /// Returns the error to throw.
    ///
    /// The error's message has the line and the column, and below them the source line with a mark.
    func error(in format: [Unicode.Scalar], entity: EntityDescription) -> RecordStackError {
        let lines = format.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" }
        let number = lines.lastIndex { $0.startIndex <= offset } ?? 0
        let line = lines[number]
        let column = offset - line.startIndex
        let spot = lines.count == 1 ? "column" : "line \(number + 1), column"
        return RecordStackError(
            .misuse,
            "The format string, \(spot) \(Self.characters(line.prefix(column)) + 1): \(message)\n"
                + Self.marked(line, column), entity: entity.name)
    }

    /// Returns the number of characters, which is what editors count.
    private static func characters(_ scalars: ArraySlice<Unicode.Scalar>) -> Int {
        text(scalars).count
    }

    /// The maximum number of scalars that are shown before and after the mark.
    private static let reach = 50

    private static func marked(_ line: ArraySlice<Unicode.Scalar>, _ column: Int) -> String {
        let offset = line.startIndex + column
        let start = max(line.startIndex, offset - reach)
        let end = min(line.endIndex, offset + reach)
        let before = (start > line.startIndex ? "…" : "") + shown(line[start..<offset])
        let rest = shown(line[offset..<end]) + (end < line.endIndex ? "…" : "")
        return before + rest + "\n" + String(repeating: " ", count: before.count) + "^"
    }

    /// Returns text in which each control character is a space, so that it takes one column.
    private static func shown(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        text(
            scalars.map { scalar in
                let isControl = scalar.properties.generalCategory == .control
                return isControl ? " " : scalar
            }[...])
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}

/// Finds names that may have been meant.
enum NearNames {
    /// Returns a name or text in the length that a message has room for.
    static func shortened(_ text: String) -> String {
        let scalars = text.unicodeScalars
        if scalars.count <= 60 { return text }
        return String(String.UnicodeScalarView(scalars.prefix(60))) + "…"
    }

    /// Returns the end of a message about an unknown name.
    static func hint(_ name: String, among names: [String]) -> String {
        let near = names.filter { isNear(name, $0) }
        let question = near.isEmpty ? "" : " Did you mean \(near.joined(separator: " or "))?"
        return question + (names.isEmpty ? "" : " There are: \(names.joined(separator: ", ")).")
    }

    /// Whether two names differ by only a few letters.
    private static func isNear(_ a: String, _ b: String) -> Bool {
        let (a, b) = (Array(a.lowercased().prefix(64)), Array(b.lowercased().prefix(64)))
        if a.count >= 3 && (b.starts(with: a) || a.starts(with: b) && b.count >= 3) { return true }
        return distance(a, b) <= min(2, max(a.count, b.count) / 3)
    }

    /// Returns how many letters must be changed, inserted, removed, or swapped with a neighbor.
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var rows = [Array(0...b.count)]
        for (index, letter) in a.enumerated() {
            let above = rows[index]
            var row = [index + 1]
            for other in b.indices {
                var best = min(
                    above[other] + (letter == b[other] ? 0 : 1), above[other + 1] + 1,
                    row[other] + 1)
                if index > 0, other > 0, letter == b[other - 1], a[index - 1] == b[other] {
                    best = min(best, rows[index - 1][other - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
