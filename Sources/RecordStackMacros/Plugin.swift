#if Macros
    import SwiftCompilerPlugin
    import SwiftSyntaxMacros

    /// The compiler plug-in: which macros it provides.
    @main
    struct RecordStackPlugin: CompilerPlugin {
        let providingMacros: [any Macro.Type] = [
            EntityMacro.self, AttributeMacro.self, RelationshipMacro.self,
        ]
    }
#else
    /// With the trait `Macros` off nothing is provided, and swift-syntax is never resolved.
    @main
    struct RecordStackPlugin {
        static func main() {}
    }
#endif
