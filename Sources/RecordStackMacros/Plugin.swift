#if Macros
    import SwiftCompilerPlugin
    import SwiftSyntaxMacros

    /// The compiler plug-in, with the macros that it provides.
    @main
    struct RecordStackPlugin: CompilerPlugin {
        let providingMacros: [any Macro.Type] = [
            EntityMacro.self, AttributeMacro.self, RelationshipMacro.self,
        ]
    }
#else
    /// An empty plug-in: without the trait `Macros`, the package does not resolve swift-syntax.
    @main
    struct RecordStackPlugin {
        static func main() {}
    }
#endif
