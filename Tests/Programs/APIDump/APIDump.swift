import FoundationEssentials

/// Prints the public declarations of a module, one per line, from symbol graphs of the compiler.
///
/// The arguments are the files. Equal declarations give equal text, so you can compare two dumps.
@main
enum APIDump {
    static func main() throws {
        let graphs = try CommandLine.arguments.dropFirst().map(SymbolGraph.init(file:))
        for line in lines(graphs) { print(line) }
    }

    private static func lines(_ graphs: [SymbolGraph]) -> [String] {
        let symbols = graphs.flatMap(\.symbols).filter {
            !$0.isHint && !$0.identifier.precise.contains("::SYNTHESIZED::")
        }
        let names = Dictionary(
            symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) },
            uniquingKeysWith: { first, _ in first })
        var lines = Set(
            symbols.map { symbol in
                let owner = symbol.pathComponents.dropLast().joined(separator: ".")
                return owner.isEmpty ? symbol.declaration : "\(owner): \(symbol.declaration)"
            })
        for relationship in graphs.flatMap(\.relationships) {
            guard ["conformsTo", "inheritsFrom"].contains(relationship.kind),
                let name = names[relationship.source],
                let target = names[relationship.target] ?? relationship.targetFallback,
                !["Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype"].contains(target)
            else { continue }
            lines.insert("\(name) is \(target)")
        }
        return lines.sorted()
    }
}
