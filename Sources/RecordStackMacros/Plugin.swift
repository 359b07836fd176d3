#if Macros
    import SwiftCompilerPlugin
    import SwiftSyntaxMacros

    /// The compiler plug-in, with the macros that it provides.
    ///
    /// EntityWriter runs the same program to expand the macros of a source file. One program means
    /// that swift-syntax is built once.
    @main
    struct RecordStackPlugin: CompilerPlugin {
        let providingMacros: [any Macro.Type] = [
            EntityMacro.self, AttributeMacro.self, RelationshipMacro.self,
        ]

        static func main() throws {
            let arguments = CommandLine.arguments
            guard arguments.count == 3, arguments[1] == WrittenSource.command else {
                return try serve(self)
            }
            WrittenSource.writeStandardInput(path: arguments[2])
        }

        /// Answers the compiler.
        ///
        /// A generic function, because the name `main` means the method above everywhere else.
        private static func serve<Plugin: CompilerPlugin>(_ plugin: Plugin.Type) throws {
            try plugin.main()
        }
    }
#else
    /// An empty plug-in: without the trait `Macros`, the package does not resolve swift-syntax.
    @main
    struct RecordStackPlugin {
        static func main() {}
    }
#endif
