import Foundation
import RecordStack
import Testing

/// The tables of the page about the outcomes of saves.
struct SaveOutcomesPage {
    static let shared = Result { try SaveOutcomesPage() }

    /// The name of the table for blocks that are not based on their parent.
    static let uponStore = "A block upon the store"

    /// The page's words for a level, or a file, that does not change.
    static let asItWas = "as it was"

    /// A row of a table, which describes one or more cells.
    struct Row {
        /// The row as the page prints it.
        let line: String
        /// The words in the row's columns, by column head.
        private let words: [String: String]

        init(_ line: String, heads: [String]) {
            self.line = line
            words = Dictionary(uniqueKeysWithValues: zip(heads, Self.words(line)))
        }

        static func words(_ line: String) -> [String] {
            line.split(separator: "|").map {
                $0.replacing("`", with: "").trimmingCharacters(in: .whitespaces)
            }
        }

        subscript(_ column: String) -> String { words[column] ?? "" }

        var happenings: [String] { self["what happens"].components(separatedBy: ", ") }

        func fits(_ cell: Cell) -> Bool {
            happenings.contains(cell.happening.rawValue)
                && fits("child", cell.isChildDirty) && fits("parent", cell.isParentDirty)
        }

        private func fits(_ column: String, _ isDirty: Bool) -> Bool {
            self[column] == "any" || self[column] == (isDirty ? "dirty" : "clean")
        }
    }

    /// The events that the page explains.
    let happenings: [String]
    /// One row for each way of saving, with the name of a table for each architecture.
    let ways: [Row]
    /// The tables by name.
    let tables: [String: [Row]]

    private init() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let page = "../../../../Sources/RecordStack/RecordStack.docc/SaveOutcomes.md"
        let text = try String(contentsOf: folder.appendingPathComponent(page), encoding: .utf8)
        var sections: [String: [Row]] = [:]
        for section in text.components(separatedBy: "\n## ").dropFirst() {
            let rows = Self.rows(section)
            if !rows.isEmpty { sections[section.components(separatedBy: "\n")[0]] = rows }
        }
        let explained = sections.removeValue(forKey: "How to read the tables") ?? []
        happenings = explained.flatMap(\.happenings)
        ways = sections.removeValue(forKey: "Which table holds") ?? []
        tables = sections
    }

    private static func rows(_ section: String) -> [Row] {
        let lines = section.components(separatedBy: "\n").filter { $0.hasPrefix("|") }
        guard let heads = lines.first.map(Row.words) else { return [] }
        return lines.dropFirst(2).map { Row($0, heads: heads) }
    }

    func way(of cell: Cell) throws -> Row {
        try #require(ways.first { $0["way"] == cell.way.rawValue })
    }

    /// Returns the name of the table that contains a cell.
    func table(of cell: Cell) throws -> String { try way(of: cell)["\(cell.architecture)"] }

    /// Returns the rows for a cell. There should be one.
    func rows(for cell: Cell) throws -> [Row] {
        try (tables[table(of: cell)] ?? []).filter { $0.fits(cell) }
    }

    /// Returns the expected number of completion calls for a cell.
    func completions(of cell: Cell) throws -> Int {
        try #require(["none": 0, "one": 1][way(of: cell)["completions"]])
    }
}
