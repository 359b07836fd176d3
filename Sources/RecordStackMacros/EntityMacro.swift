#if Macros
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// `@Entity`: what `ManagedObject` asks of its subclasses, and `create` with the properties. Stored variables
    /// without a mark get the one that their type asks for.
    struct EntityMacro: MemberMacro, MemberAttributeMacro {
        static func expansion(
            of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
            providingAttributesFor member: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [AttributeSyntax] {
            // In a class that can be no entity, accessors would add errors to the one that says so.
            guard let declaration = declaration.as(ClassDeclSyntax.self),
                (try? EntityDeclaration.superclass(of: declaration)) != nil
            else { return [] }
            return [member.as(VariableDeclSyntax.self)?.impliedMark].compactMap { $0 }
        }

        static func expansion(
            of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
            conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            guard let declaration = declaration.as(ClassDeclSyntax.self) else {
                throw macroError(
                    "@Entity marks a class that inherits from ManagedObject: "
                        + "@Entity final class Name: ManagedObject { … }.", at: node)
            }
            let entity = try EntityDeclaration(declaration, attribute: node)
            // What is found here is said beside the expansion, not in its place: without it, the
            // compiler would have a dozen more things to say.
            EntityCheck(entity: entity, declaration: declaration, attribute: node)
                .problems(in: context)
                .forEach(context.diagnose)
            return DescriptionWriter(entity: entity).members
                + HookWriter(entity: entity).members + RowWriter(entity: entity).members
                + CreateWriter(entity: entity).members
        }
    }
#endif
