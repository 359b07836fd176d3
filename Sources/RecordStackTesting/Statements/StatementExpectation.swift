/// The expected number of statements, and the failure message for another number.
struct StatementExpectation {
    let expected: ClosedRange<Int>
    let kind: StatementKind

    init(_ range: some RangeExpression<Int>, _ kind: StatementKind) {
        // An open range gets an upper bound that no count reaches.
        let whole = range.relative(to: 0..<Int.max)
        expected = whole.isEmpty ? 0...0 : whole.lowerBound...(whole.upperBound - 1)
        self.kind = kind
    }

    /// Returns the failure message for the statements that ran, or nil for an expected number.
    func failure(of statements: [String]) -> String? {
        let counted = statements.filter(kind.includes)
        if expected.contains(counted.count) { return nil }
        let last = isOpen ? expected.lowerBound : expected.upperBound
        let head = "Expected \(wanted) \(kind.name(last)), and \(counted.count) ran"
        let list = Self.list(counted)
        return list.isEmpty ? head + "." : head + ":\n" + list
    }

    /// Whether the range has no upper bound.
    private var isOpen: Bool { expected.upperBound >= Int.max - 1 }

    private var wanted: String {
        if expected.lowerBound == expected.upperBound { return "\(expected.lowerBound)" }
        if isOpen { return "at least \(expected.lowerBound)" }
        return "\(expected.lowerBound) to \(expected.upperBound)"
    }

    /// Returns a list of the statements, in which consecutive equal statements share a line.
    private static func list(_ statements: [String]) -> String {
        var lines: [(number: Int, sql: String, times: Int)] = []
        for (index, sql) in statements.enumerated() {
            if lines.last?.sql == sql {
                lines[lines.count - 1].times += 1
            } else {
                lines.append((index + 1, sql, 1))
            }
        }
        let shown = lines.prefix(lineLimit).map { line in
            "  \(line.number). \(line.sql)" + (line.times > 1 ? "  (\(line.times) times)" : "")
        }
        let rest = lines.count - shown.count
        return (shown + (rest > 0 ? ["  and \(rest) more lines"] : [])).joined(separator: "\n")
    }

    private static var lineLimit: Int { 50 }
}
