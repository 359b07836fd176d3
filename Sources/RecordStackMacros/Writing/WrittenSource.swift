#if Macros
    import SwiftDiagnostics
    import SwiftParser
    import SwiftSyntax
    import SwiftSyntaxMacroExpansion
    import SwiftSyntaxMacros

    /// A source file with RecordStack's macros expanded, so that it compiles without macros.
    ///
    /// ```swift
    /// let written = WrittenSource(of: text, path: "Sources/App/Entities/Item.swift")
    /// ```
    ///
    /// The macros are `@Entity`, `@Attribute` and `@Relationship`.
    struct WrittenSource {
        /// The whole file. Code and comments beside the macros are unchanged.
        let text: String
        /// The macros' errors and warnings, in the compiler's form.
        let messages: [String]
        /// Whether a message is an error. If so, the text does not compile.
        let hasErrors: Bool

        /// - Parameters:
        ///   - source: The file's text.
        ///   - path: The path that messages name.
        init(of source: String, path: String) {
            let file = InferredTypes().rewrite(Parser.parse(source: source))
            let context = BasicMacroExpansionContext()
            // A context without files has no locations, so the macros write no `#sourceLocation`.
            text =
                file.expand(
                    macros: Self.macros,
                    contextGenerator: { syntax in
                        BasicMacroExpansionContext(
                            sharingWith: context, lexicalContext: syntax.allMacroLexicalContexts())
                    },
                    indentationWidth: .spaces(4)
                ).description
            let diagnostics = context.diagnostics
            hasErrors = diagnostics.contains { $0.diagMessage.severity == .error }
            messages = diagnostics.map { diagnostic in
                let location = context.location(
                    for: diagnostic.position, anchoredAt: diagnostic.node, fileName: path)
                let severity = diagnostic.diagMessage.severity
                return "\(path):\(location.line):\(location.column): "
                    + "\(severity): \(diagnostic.message)"
            }
        }

        private static var macros: [String: any Macro.Type] {
            [
                "Entity": EntityMacro.self, "Attribute": AttributeMacro.self,
                "Relationship": RelationshipMacro.self,
            ]
        }
    }
#endif
