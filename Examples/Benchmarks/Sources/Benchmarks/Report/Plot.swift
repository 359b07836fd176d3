import Foundation

/// The ratios as a picture: a line for each comparison, on a logarithmic scale.
///
/// A dot is the ratio, and the bar through it is its 95 % interval. The vertical marks are gate and
/// moonshot. A dot to the left of a mark has reached it.
struct Plot {
    let results: [WorkloadResult]
    let quick: Bool

    private let rowHeight = 24.0
    private let left = 250.0
    private let right = 830.0
    private let top = 84.0

    var svg: String {
        let height = top + rowHeight * Double(rows.count) + 16
        var parts = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 \(text(height))" \
            font-family="sans-serif" font-size="13">
            <rect width="900" height="\(text(height))" fill="#ffffff"/>
            """,
            label(20, 26, title, attributes: "font-size=\"16\" font-weight=\"bold\""),
        ]
        parts += legend + grid(to: height - 16)
        for (index, row) in rows.enumerated() {
            parts += draw(row, y: top + rowHeight * (Double(index) + 0.5))
        }
        return (parts + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private var title: String {
        let isAmongPeers = results.contains { $0.subject.peer != nil }
        return (isAmongPeers ? "Floors and peers among themselves" : "RecordStack ÷ peer")
            + " (less is better)" + (quick ? ", --quick: only a hint" : "")
    }

    private struct Row {
        let workload: String
        let label: String
        let isFirst: Bool
        let outcome: Outcome
    }

    private var rows: [Row] {
        results.flatMap { result in
            result.outcomes.enumerated().map { index, outcome in
                let reference = result.subject.peer.map { " ÷ \($0)" } ?? ""
                return Row(
                    workload: result.id, label: outcome.label + reference, isFirst: index == 0,
                    outcome: outcome)
            }
        }
    }
}

// MARK: - The scale

extension Plot {
    /// The powers of two between which all marks lie.
    private var exponents: ClosedRange<Double> {
        let values = rows.flatMap { row -> [Double] in
            [
                row.outcome.interval.lowerBound, row.outcome.interval.upperBound,
                row.outcome.gate?.limit ?? 1, row.outcome.moonshot?.limit ?? 1, 1,
            ]
        }
        let lowest = log2(max(values.min() ?? 0.5, 0.000_1)).rounded(.down)
        let highest = log2(max(values.max() ?? 2, 0.000_1)).rounded(.up)
        return min(lowest, -1)...max(highest, 1)
    }

    private func x(_ ratio: Double) -> Double {
        let exponents = self.exponents
        let share =
            (log2(max(ratio, 0.000_1)) - exponents.lowerBound)
            / (exponents.upperBound - exponents.lowerBound)
        return left + (right - left) * share
    }

    private func grid(to bottom: Double) -> [String] {
        let exponents = self.exponents
        return stride(from: exponents.lowerBound, through: exponents.upperBound, by: 1).flatMap {
            let ratio = exp2($0)
            return [
                line(
                    x(ratio), top, x(ratio), bottom, $0 == 0 ? "#888888" : "#e2e2e2", width: 1),
                label(
                    x(ratio), top - 8, ratio < 1 ? "1/\(Int(1 / ratio))" : "\(Int(ratio))",
                    attributes: "text-anchor=\"middle\" fill=\"#666666\""),
            ]
        }
    }
}

// MARK: - Drawing

extension Plot {
    private static let gate = "#c0392b"
    private static let moonshot = "#2471a3"
    private static let reached = "#1e8449"
    private static let missed = "#c0392b"
    private static let unmarked = "#444444"

    private var legend: [String] {
        [
            line(28, 38, 28, 54, Self.gate, width: 3), label(36, 51, "gate"),
            line(88, 38, 88, 54, Self.moonshot, width: 3), label(96, 51, "moonshot"),
            dot(186, 46, Self.reached), label(198, 51, "gate reached"),
            dot(306, 46, Self.missed), label(318, 51, "gate missed"),
            dot(420, 46, Self.unmarked), label(432, 51, "no gate; bar: 95 % interval"),
        ]
    }

    private func draw(_ row: Row, y: Double) -> [String] {
        let outcome = row.outcome
        let colour = outcome.gate.map { $0.isReached ? Self.reached : Self.missed } ?? Self.unmarked
        var parts = [label(56, y + 4, row.label)]
        if row.isFirst {
            let bold = "font-weight=\"bold\""
            parts.append(label(20, y + 4, row.workload, attributes: bold))
            parts.append(line(20, y - 12, right, y - 12, "#e2e2e2", width: 1))
        }
        for (mark, colour) in [(outcome.gate, Self.gate), (outcome.moonshot, Self.moonshot)] {
            guard let limit = mark?.limit else { continue }
            parts.append(line(x(limit), y - 9, x(limit), y + 9, colour, width: 3))
        }
        let interval = outcome.interval
        parts.append(line(x(interval.lowerBound), y, x(interval.upperBound), y, colour, width: 2))
        parts.append(dot(x(outcome.ratio), y, colour))
        parts.append(
            label(right + 14, y + 4, Table.ratio(outcome.ratio), attributes: "fill=\"\(colour)\""))
        return parts
    }

    private func line(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ colour: String, width: Int
    ) -> String {
        "<line x1=\"\(text(x1))\" y1=\"\(text(y1))\" x2=\"\(text(x2))\" y2=\"\(text(y2))\" "
            + "stroke=\"\(colour)\" stroke-width=\"\(width)\"/>"
    }

    private func dot(_ x: Double, _ y: Double, _ colour: String) -> String {
        "<circle cx=\"\(text(x))\" cy=\"\(text(y))\" r=\"5\" fill=\"\(colour)\"/>"
    }

    private func label(
        _ x: Double, _ y: Double, _ content: String, attributes: String = ""
    ) -> String {
        let escaped = content.replacingOccurrences(of: "&", with: "&amp;")
            .replacingOccurrences(of: "<", with: "&lt;")
        return "<text x=\"\(text(x))\" y=\"\(text(y))\" \(attributes)>\(escaped)</text>"
    }

    private func text(_ value: Double) -> String { String(format: "%.1f", value) }
}
