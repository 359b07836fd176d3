import RecordStackModel
import RecordStackPlatform

/// Prints a store's reports to standard error, in color on a terminal.
struct StandardErrorSink: Sendable {
    private let isColored: Bool

    /// Creates a sink, without colors if `NO_COLOR` has a value or the terminal is dumb.
    init() {
        isColored =
            StandardError.isTerminal && (Environment["NO_COLOR"] ?? "").isEmpty
            && Environment["TERM"] != "dumb"
    }

    @Sendable func callAsFunction(_ event: SQLDebugEvent) {
        StandardError.write(line: event.text(isColored: isColored))
    }
}
