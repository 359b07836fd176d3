import RecordStack
import RecordStackModel
import Testing

/// Counts of the features that random filters used, read from their format strings.
struct FilterKinds {
    private static let kinds = [
        "==", "!=", "<", "<=", ">", ">=", "AND", "OR", "NOT", "IN", "NULL", "BEGINSWITH",
        "CONTAINS",
        "ENDSWITH", "LIKE", "MATCHES", "[c]", "[d]", "[cd]", "+", "-", "*", "/", "ANY", "ALL",
        "NONE",
        "SUBQUERY", "@count", "@sum", "@avg", "@min", "@max", "lowercase:", "uppercase:", "length:",
        "abs:", "TRUE", "FALSE", "owner.name", "owner.senior.name",
    ]
    private var met: [String: Int] = [:]

    mutating func count(_ filter: Filter?) throws {
        guard let filter else { return }
        let words = Self.words(of: try filter.formatString(for: Sample.self))
        for word in words { met[word, default: 0] += 1 }
    }

    /// Returns the words of a format string and the options behind them, but nothing in quotes.
    private static func words(of format: String) -> Set<String> {
        var words: Set<String> = []
        for (number, part) in format.split(separator: "\"", omittingEmptySubsequences: false)
            .enumerated() where number.isMultiple(of: 2)
        {
            for word in part.split(whereSeparator: { " (){},".contains($0) }) {
                words.formUnion(pieces(of: String(word)))
            }
        }
        return words
    }

    private static func pieces(of word: String) -> Set<String> {
        var pieces: Set = [word]
        if let bracket = word.firstIndex(of: "["), bracket > word.startIndex {
            pieces = [String(word[..<bracket]), String(word[bracket...])]
        }
        if let sign = word.firstIndex(of: "@") {
            pieces.insert(String(word[sign...].prefix { $0 != "." }))
        }
        return pieces
    }

    /// Prints the counts, and checks that every kind occurred.
    func check(_ rounds: Int, of name: String, seed: UInt64) {
        let counts = Self.kinds.map { "\($0) \(met[$0, default: 0])" }.joined(separator: ", ")
        print("\(rounds) \(name), seed \(seed): \(counts)")
        guard rounds >= 1_000 else { return }
        for kind in Self.kinds {
            #expect(met[kind, default: 0] > 0, "\(kind), \(name), seed \(seed)")
        }
    }
}
