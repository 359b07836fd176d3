import Foundation

/// Rows of texts under headings, printed in aligned columns.
struct Table {
    private let headings: [String]
    private let isNumeric: [Bool]
    private var rows: [[String]] = []
    private var notes: [String] = []

    /// Creates a table. A heading that begins with # is for numbers, which are right-aligned.
    init(_ headings: String...) {
        isNumeric = headings.map { $0.hasPrefix("#") }
        self.headings = headings.map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }
    }

    /// Returns the table with a row for each element. Unknown values become dashes.
    func adding<Row>(_ things: some Sequence<Row>, _ values: (Row) throws -> [Any?]) rethrows
        -> Table
    {
        var copy = self
        copy.rows += try things.map { try values($0).map { $0.map(Self.text) ?? "-" } }
        return copy
    }

    /// Returns the table with a line below it.
    func noted(_ note: String) -> Table {
        var copy = self
        copy.notes.append(note)
        return copy
    }

    private static func text(_ value: Any) -> String {
        switch value {
        case let number as Double: String(format: "%.1f", number)
        case let date as Date: date.formatted(.iso8601.year().month().day())
        default: shortened("\(value)")
        }
    }

    private static func shortened(_ text: String) -> String {
        text.count > 40 ? text.prefix(39) + "…" : text
    }
}

extension Table: CustomStringConvertible {
    var description: String {
        (lines + notes).map { "   " + $0 }.joined(separator: "\n")
    }

    private var lines: [String] {
        if headings.isEmpty { return [] }
        if rows.isEmpty { return ["(none)"] }
        let widths = headings.indices.map { column in
            ([headings] + rows).map { $0[column].count }.max() ?? 0
        }
        let rule = widths.map { String(repeating: "─", count: $0) }
        return ([headings, rule] + rows).map { row in
            let cells = row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return isNumeric[column] ? space + row[column] : row[column] + space
            }
            // Trailing spaces are removed.
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }
}
