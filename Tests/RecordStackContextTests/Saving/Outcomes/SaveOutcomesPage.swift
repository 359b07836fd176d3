import Foundation
import RecordStack
import Testing

/// The page that says what comes of a save, as its tables have it.
struct SaveOutcomesPage {
    static let shared = Result { try SaveOutcomesPage() }

    /// The table of blocks that do not rest on their parent.
    static let uponStore = "A block upon the store"

    /// What becomes of a level, or of the file, as the page writes it.
    static let asItWas = "as it was"

    /// What comes of some cells.
    struct Row {
        /// As it stands on the page.
        let line: String
        /// The words in its columns, by their heads.
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

    /// What can happen, as the page explains it.
    let happenings: [String]
    /// A row for each way, with the name of a table for each architecture.
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

    /// The name of the table that has a cell.
    func table(of cell: Cell) throws -> String { try way(of: cell)["\(cell.architecture)"] }

    /// The rows for a cell: there should be one.
    func rows(for cell: Cell) throws -> [Row] {
        try (tables[table(of: cell)] ?? []).filter { $0.fits(cell) }
    }

    /// How often a cell's completion is called.
    func completions(of cell: Cell) throws -> Int {
        try #require(["none": 0, "one": 1][way(of: cell)["completions"]])
    }
}
