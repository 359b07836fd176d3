#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    /// Returns an error at a node. The message says what is wrong and what to write instead.
    func macroError(
        _ message: String, at node: some SyntaxProtocol, fix: FixIt? = nil
    ) -> DiagnosticsError {
        DiagnosticsError(diagnostics: [Diagnostic(message, at: node, fix: fix)])
    }

    extension Diagnostic {
        init(
            _ message: String, at node: some SyntaxProtocol,
            _ severity: DiagnosticSeverity = .error, fix: FixIt? = nil
        ) {
            self.init(
                node: node, message: MacroMessage(message: message, severity: severity),
                fixIts: [fix].compactMap { $0 })
        }
    }

    extension FixIt {
        /// Returns a fix that replaces the text of nodes.
        ///
        /// The spaces and comments around the nodes stay.
        ///
        /// - Parameter message: The text of an editor's button.
        static func write(_ message: String, _ changes: (old: Syntax, new: String)...) -> FixIt {
            let replacements = changes.map { old, text in
                var token = TokenSyntax(.identifier(text), presence: .present)
                token.leadingTrivia = old.leadingTrivia
                token.trailingTrivia = old.trailingTrivia
                return Change.replace(oldNode: old, newNode: Syntax(token))
            }
            return FixIt(message: FixMessage(message: message), changes: replacements)
        }
    }

    private struct FixMessage: FixItMessage {
        let message: String

        var fixItID: MessageID { MessageID(domain: "RecordStack", id: message) }
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
