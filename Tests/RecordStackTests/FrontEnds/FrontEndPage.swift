import Foundation
import RecordStack
import Testing

/// A section of the page that shows filters in three front ends beside their SQL.
///
/// Each call of `check` takes the next filter of the section. It checks that the page shows the
/// test's code, that all front ends find the same objects, and that `explain` prints the page's
/// SQL.
final class FrontEndPage {
    /// The width of the first column on the page.
    private static let width = 11
    private let entries: [[String: String]]
    private let source: String
    private var done = 0
    private let contexts: [ManagedObjectContext]
    let mariners: Mariners

    /// - Parameters:
    ///   - heading: the heading of the section.
    ///   - isPending: whether the filters also run on pending objects, which need no stored rows.
    init(_ heading: String, isPending: Bool = true) throws {
        let sections = try Self.text().components(separatedBy: "\n## ")
        let section = sections.first { $0.hasPrefix(heading + "\n") } ?? ""
        entries = Self.blocks(of: section).flatMap(Self.entries)
        source = Self.packed(try Self.text("FrontEndPageTests.swift"))
        mariners = try Mariners()
        contexts = isPending ? [mariners.stored, mariners.pending] : [mariners.stored]
    }

    /// Returns the text of the page, or of a file beside this file.
    static func text(_ file: String? = nil) throws -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let page = "../../../Sources/RecordStack/RecordStack.docc/FrontEnds.md"
        return try String(contentsOf: folder.appendingPathComponent(file ?? page), encoding: .utf8)
    }

    /// Returns a text without the whitespace, which a formatter may change.
    static func packed(_ text: String) -> String { text.filter { !$0.isWhitespace } }

    /// Returns the entries of a block, each as a table from the words of its first column.
    private static func entries(_ block: String) -> [[String: String]] {
        block.components(separatedBy: "\n\n").map { text in
            var (entry, last): ([String: String], String) = ([:], "")
            for line in text.split(separator: "\n") {
                let label = line.prefix(width).trimmingCharacters(in: .whitespaces)
                let rest = String(line.dropFirst(width))
                if !label.isEmpty { last = label }
                entry[last] = entry[last].map { "\($0) \(rest)" } ?? rest
            }
            return entry
        }
    }

    private static func blocks(of section: String) -> [String] {
        section.components(separatedBy: "\n```").enumerated().filter { $0.offset % 2 == 1 }
            .map { String($0.element.drop { $0 != "\n" }.dropFirst()) }
    }

    /// Checks that the page shows no more filters.
    func end(_ place: SourceLocation = #_sourceLocation) {
        #expect(done == entries.count, "filters on the page", sourceLocation: place)
    }

    func check<Entity: ManagedObject>(
        _ entity: Entity.Type,
        @FilterBuilder _ closure: (FilterProxy<Entity>) -> Filter, _ predicate: Predicate<Entity>?,
        _ format: Format, _ place: SourceLocation = #_sourceLocation
    ) throws {
        let closures = Entity.where(closure)
        let formats = FetchRequest<Entity>(
            filter: try Filter(format: format.text, arguments: format.arguments, for: entity))
        let predicates = try predicate.map { try Entity.where(Filter($0)) }
        let entry = done < entries.count ? entries[done] : [:]
        done += 1
        let written = [
            "\(entity).self", entry["closure"] ?? "",
            entry["#Predicate"].map { "#Predicate" + $0 } ?? "nil",
            "Format(\(entry["format"] ?? "")))",
        ]
        let isTested = source.contains(Self.packed(written.joined(separator: ",")))
        #expect(isTested, "the page has another filter: \(written)", sourceLocation: place)
        let found = try names(closures, place)
        let sql = entry["SQL"] ?? "nothing"
        for (request, name, sql) in [
            (closures, "closure", sql), (formats, "format", sql),
            (predicates, "#Predicate", entry["its SQL"] ?? sql),
        ] {
            guard let request else { continue }
            #expect(try names(request, place) == found, "\(name)", sourceLocation: place)
            let made = try self.sql(request)
            #expect(made == sql, "\(name)", sourceLocation: place)
        }
    }

    /// Returns the names of the objects found, and checks that SQL and memory agree.
    private func names<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>, _ place: SourceLocation
    ) throws -> [String] {
        let found = try contexts.map { context in
            try context.find(request).map { ($0 as? Mariner)?.name ?? ($0 as? Vessel)?.title ?? "" }
        }
        #expect(found.allSatisfy { $0 == found[0] }, sourceLocation: place)
        return found[0]
    }

    /// Returns the SQL after the entity's own table without the ORDER BY clause, and the values.
    private func sql<Entity: ManagedObject>(_ request: FetchRequest<Entity>) throws -> String {
        let explanation = try mariners.stored.explain(request)
        let table = explanation.sql.components(separatedBy: "AS t0 ").dropFirst()
        let sql = table.joined(separator: "AS t0 ").replacing(#" ORDER BY t0."_key""#, with: "")
        let values = explanation.bindings.map { "\($0)" }.joined(separator: ", ")
        return values.isEmpty ? sql : "\(sql) -- \(values)"
    }
}

/// A format string and its arguments.
struct Format {
    let text: String
    let arguments: [(any FormatArgument)?]

    init(_ text: String, _ arguments: (any FormatArgument)?...) {
        (self.text, self.arguments) = (text, arguments)
    }
}
