import Foundation

/// Results as text that fits 100 columns.
enum Table {
    static let width = 100

    static func lines(_ result: WorkloadResult) -> [String] {
        let figure = "\(number(result.subject.figure)) \(result.unit.symbol)"
        return wrap("\(result.id)  \(result.what)")
            + ["    \(result.subject.peer ?? "ours") \(figure)", head]
            + result.outcomes.map { line($0, result.unit) }
    }

    private static let head = line(
        ["against", "theirs", "ratio", "95 % interval", "gate", "moonshot"])

    private static func line(_ outcome: Outcome, _ unit: Unit) -> String {
        let interval = outcome.interval
        return line([
            outcome.label, "\(number(outcome.figure)) \(unit.symbol)", ratio(outcome.ratio),
            "\(ratio(interval.lowerBound)) … \(ratio(interval.upperBound))",
            mark(outcome.gate), mark(outcome.moonshot),
        ])
    }

    private static func line(_ cells: [String]) -> String {
        let widths = [19, 17, 7, 15, 15, 15]
        let padded = zip(cells, widths).enumerated().map { index, cell in
            let blanks = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
            let isNumber = index == 1 || index == 2
            return isNumber ? blanks + cell.0 : (index > 2 ? "  " : "") + cell.0 + blanks
        }
        let text = "    " + padded.joined()
        return String(text.reversed().drop { $0 == " " }.reversed())
    }

    private static func mark(_ mark: Outcome.Mark?) -> String {
        guard let mark else { return "–" }
        return "≤ \(limit(mark)) \(mark.isReached ? "reached" : "missed")"
    }

    /// Returns a limit rounded to two decimals, because an allowance gives it more.
    static func limit(_ mark: Outcome.Mark) -> String {
        "\((mark.limit * 100).rounded() / 100)"
    }

    static func ratio(_ value: Double) -> String {
        String(format: value < 0.1 ? "%.3f" : "%.2f", value)
    }

    static func number(_ value: Double) -> String {
        String(format: value < 10 ? "%.2f" : "%.1f", value)
    }

    /// Returns lines of at most ``width`` columns, broken at spaces.
    static func wrap(_ text: String) -> [String] {
        var lines: [String] = []
        var line = text.prefix { $0 == " " }.description
        let indent = line
        for word in text.split(separator: " ") {
            if line.count + word.count > width {
                lines.append(String(line.dropLast()))
                line = indent
            }
            line += word + " "
        }
        lines.append(String(line.dropLast()))
        return lines
    }
}
