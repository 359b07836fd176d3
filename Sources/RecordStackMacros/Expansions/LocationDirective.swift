#if Macros
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// Makes the compiler report errors in generated code at the declaration that was expanded.
    struct LocationDirective {
        /// Nil if the location is unknown, as in files that `write-entities` writes.
        private let start: String?

        init(of declaration: some SyntaxProtocol, in context: some MacroExpansionContext) {
            start = context.location(
                of: declaration, at: .afterLeadingTrivia, filePathMode: .filePath
            ).map { "#sourceLocation(file: \($0.file), line: \($0.line))" }
        }

        /// Returns the code between two directives.
        func marking(_ code: String) -> String {
            start.map { "\($0)\n\(code)\n#sourceLocation()" } ?? code
        }
    }
#endif
