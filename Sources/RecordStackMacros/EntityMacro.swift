#if Macros
    import SwiftDiagnostics
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// `@Entity`: what `ManagedObject` asks of its subclasses, and `create` with the properties.
    struct EntityMacro: MemberMacro {
        static func expansion(
            of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
            conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            guard let declaration = declaration.as(ClassDeclSyntax.self) else {
                throw MacroError(
                    "@Entity marks a class that inherits from ManagedObject: "
                        + "@Entity final class Name: ManagedObject { … }.", at: node)
            }
            try checkPlace(of: declaration, context)
            let entity = try EntityDeclaration(declaration, attribute: node)
            try check(entity, declaration, context)
            return DescriptionWriter(entity: entity).members
                + RowWriter(entity: entity).members
                + CreateWriter(entity: entity).members
        }

        /// Key paths of a class inside a function cannot be named outside of it.
        private static func checkPlace(
            of declaration: ClassDeclSyntax, _ context: some MacroExpansionContext
        ) throws {
            let isLocal = context.lexicalContext.contains {
                $0.is(FunctionDeclSyntax.self) || $0.is(ClosureExprSyntax.self)
                    || $0.is(InitializerDeclSyntax.self) || $0.is(AccessorDeclSyntax.self)
            }
            if isLocal {
                throw MacroError(
                    "\(declaration.name.text) is local to a function. Declare entities in a file or in "
                        + "a type.", at: declaration.name)
            }
        }

        private static func check(
            _ entity: EntityDeclaration, _ declaration: ClassDeclSyntax,
            _ context: some MacroExpansionContext
        ) throws {
            var seen: [String: String] = [:]
            for property in entity.slots {
                let name = property.name.trimmingBackticks
                let other = seen.updateValue(name, forKey: name.lowercased())
                let isRenamed = property.attribute.plainArguments.contains {
                    $0.contains(".stored(")
                }
                if let other, other != name, !isRenamed {
                    throw MacroError(
                        "\(other) and \(name) would share a column, because SQLite does not tell upper "
                            + "case from lower. Give one of them another name with .stored(as:).",
                        at: declaration.name)
                }
            }
            let unique = entity.uniqueAttributes
            if unique.count > 1 && entity.identity == nil {
                let message =
                    "\(entity.name) has several unique attributes: say which one imported rows are "
                    + "known by, as in @Entity(identity: \\.\(unique[0].name))."
                context.diagnose(
                    Diagnostic(
                        node: declaration.name,
                        message: MacroMessage(message: message, severity: .warning)))
            }
        }
    }
#endif
