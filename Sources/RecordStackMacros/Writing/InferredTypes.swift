#if Macros
    import SwiftSyntax
    import SwiftSyntaxBuilder

    /// Writes the types of properties that have only a default, as `Int` in `var rank = 1`.
    ///
    /// A property with accessors needs a written type. Accessors of a macro do not.
    final class InferredTypes: SyntaxRewriter {
        override func visit(_ node: ClassDeclSyntax) -> DeclSyntax {
            guard let declaration = super.visit(node).as(ClassDeclSyntax.self) else {
                return DeclSyntax(node)
            }
            let isEntity = declaration.attributes.contains {
                $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription == "Entity"
            }
            guard isEntity else { return DeclSyntax(declaration) }
            let members = declaration.memberBlock.members.map { member in
                member.with(\.decl, Self.typed(member.decl))
            }
            return DeclSyntax(
                declaration.with(\.memberBlock.members, MemberBlockItemListSyntax(members)))
        }

        private static func typed(_ declaration: DeclSyntax) -> DeclSyntax {
            guard let variable = declaration.as(VariableDeclSyntax.self),
                let property = PropertyDeclaration.all(in: declaration).first,
                let binding = variable.bindings.first, variable.bindings.count == 1,
                binding.typeAnnotation == nil
            else { return declaration }
            let type: TypeSyntax = "\(raw: property.type)\(binding.pattern.trailingTrivia)"
            let typed =
                binding
                .with(\.pattern.trailingTrivia, [])
                .with(
                    \.typeAnnotation,
                    TypeAnnotationSyntax(colon: .colonToken(trailingTrivia: .space), type: type))
            return DeclSyntax(variable.with(\.bindings, [typed]))
        }
    }
#endif
