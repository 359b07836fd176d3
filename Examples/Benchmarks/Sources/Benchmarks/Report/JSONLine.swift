import Foundation

/// A result as one line of JSON, with members in a fixed order.
enum JSONLine {
    static func text(_ result: WorkloadResult) -> String {
        var members = [
            ("workload", quoted(result.id)),
            ("what", quoted(result.what)),
        ]
        if let peer = result.subject.peer { members.append(("reference", quoted(peer))) }
        members += [
            (result.subject.peer == nil ? "ours" : "figure", number(result.subject.figure)),
            ("unit", quoted(result.unit.symbol)),
            ("ratios", object(result.outcomes.map { ($0.label, number($0.ratio)) })),
        ]
        if result.subject.peer == nil {
            let gates = result.outcomes.compactMap { outcome in
                outcome.gate.map { (outcome.label, number($0.limit)) }
            }
            members += [("gates", object(gates)), ("pass", result.isPassed ? "true" : "false")]
        }
        return object(members)
    }

    private static func object(_ members: [(String, String)]) -> String {
        "{" + members.map { "\(quoted($0)):\($1)" }.joined(separator: ",") + "}"
    }

    private static func number(_ value: Double) -> String {
        "\((value * 1_000).rounded() / 1_000)"
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\u{0}"..."\u{1F}": "\\u" + String(format: "%04x", scalar.value)
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }
}
