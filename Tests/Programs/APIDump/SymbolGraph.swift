import FoundationEssentials

/// The part of the compiler's symbol graph that a dump needs.
struct SymbolGraph: Decodable {
    let symbols: [Symbol]
    let relationships: [Relationship]

    init(file: String) throws {
        self = try JSONDecoder().decode(
            SymbolGraph.self, from: Data(contentsOf: URL(filePath: file)))
    }

    struct Symbol: Decodable {
        struct Identifier: Decodable {
            let precise: String
        }
        struct Fragment: Decodable {
            let spelling: String
        }
        struct Availability: Decodable {
            let isUnconditionallyUnavailable: Bool?
        }

        let identifier: Identifier
        let pathComponents: [String]
        let declarationFragments: [Fragment]?
        let availability: [Availability]?

        /// The declaration on one line.
        var declaration: String {
            let text = (declarationFragments ?? []).map(\.spelling).joined()
            return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }

        /// True if the symbol exists only for its message, which says what to write instead.
        var isHint: Bool {
            availability?.contains { $0.isUnconditionallyUnavailable == true } ?? false
        }
    }

    struct Relationship: Decodable {
        let kind: String
        let source: String
        let target: String
        let targetFallback: String?
    }
}
