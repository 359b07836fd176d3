#if Macros
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// `@Entity`: what `ManagedObject` asks of its subclasses, and `create` with the properties.
    struct EntityMacro: MemberMacro {
        static func expansion(
            of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
            conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            guard let declaration = declaration.as(ClassDeclSyntax.self) else {
                throw MacroError("@Entity marks a class that inherits from ManagedObject.")
            }
            let entity = try EntityDeclaration(declaration, attribute: node)
            return DescriptionWriter(entity: entity).members
                + RowWriter(entity: entity).members
                + CreateWriter(entity: entity).members
        }
    }
#endif
