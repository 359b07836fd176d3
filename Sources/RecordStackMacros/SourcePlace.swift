#if Macros
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// What makes the compiler say of generated code that it is where a declaration is.
    struct SourcePlace {
        let start: String
        let end: String

        init(of declaration: some SyntaxProtocol, in context: some MacroExpansionContext) {
            guard
                let location = context.location(
                    of: declaration, at: .afterLeadingTrivia, filePathMode: .filePath)
            else {
                (start, end) = ("", "")
                return
            }
            start = "#sourceLocation(file: \(location.file), line: \(location.line))"
            end = "#sourceLocation()"
        }
    }
#endif
