#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    /// Says what is wrong, and what to write instead, at the place where it stands.
    func macroError(_ message: String, at node: some SyntaxProtocol) -> DiagnosticsError {
        DiagnosticsError(diagnostics: [
            Diagnostic(node: node, message: MacroMessage(message: message, severity: .error))
        ])
    }

    struct MacroMessage: DiagnosticMessage {
        let message: String
        let severity: DiagnosticSeverity

        var diagnosticID: MessageID { MessageID(domain: "RecordStack", id: message) }
    }

    extension String {
        /// The name without the backticks of `` `class` ``.
        var trimmingBackticks: String {
            hasPrefix("`") && hasSuffix("`") ? String(dropFirst().dropLast()) : self
        }
    }
#endif
