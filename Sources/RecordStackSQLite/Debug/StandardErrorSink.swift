import RecordStackModel
import RecordStackPlatform

/// Prints what a store tells to standard error, in colours where a terminal shows them.
struct StandardErrorSink: Sendable {
    private let isColored: Bool

    /// Colours are left out where `NO_COLOR` says something, and on a dumb terminal.
    init() {
        isColored =
            StandardError.isTerminal && (Environment["NO_COLOR"] ?? "").isEmpty
            && Environment["TERM"] != "dumb"
    }

    @Sendable func callAsFunction(_ event: SQLDebugEvent) {
        StandardError.write(line: event.text(isColored: isColored))
    }
}
