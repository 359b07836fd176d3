/// A diagnostic of the compiler with its location: `file.swift:3:10: error: text`.
struct Diagnostic: Sendable {
    enum Severity: String, Sendable {
        case error, warning, note
    }

    /// The file's name without its folder.
    let file: String
    let line: Int
    let column: Int
    let severity: Severity
    let message: String

    /// Returns all diagnostics in an output. An error without a location, such as a missing module,
    /// has line 0.
    static func all(in output: String) -> [Diagnostic] {
        output.split(separator: "\n").compactMap { Diagnostic(line: $0) }
    }

    private init?(line text: Substring) {
        let pattern = /(.*?):(\d+):(?:(\d+):)? (error|warning|note): (.*)/
        guard let match = text.wholeMatch(of: pattern), let line = Int(match.2),
            let severity = Severity(rawValue: String(match.4))
        else { return nil }
        file = match.1.split(separator: "/").last.map(String.init) ?? ""
        self.line = line
        column = match.3.flatMap { Int($0) } ?? 0
        self.severity = severity
        message = String(match.5)
    }
}
