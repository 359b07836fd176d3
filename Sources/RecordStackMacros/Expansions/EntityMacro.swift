#if Macros
    import SwiftDiagnostics
    import SwiftSyntax
    import SwiftSyntaxBuilder
    import SwiftSyntaxMacros

    /// Expands `@Entity` to the members that `ManagedObject` requires, and to `create`.
    ///
    /// The macro also marks stored variables that have no mark, according to their type.
    struct EntityMacro: MemberMacro, MemberAttributeMacro {
        static func expansion(
            of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
            providingAttributesFor member: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [AttributeSyntax] {
            // If the class cannot be an entity, accessors would only add more errors.
            guard let declaration = declaration.as(ClassDeclSyntax.self),
                EntityDeclaration.problem(of: declaration) == nil
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
                        + "@Entity final class Name: ManagedObject { … }.", at: node,
                    fix: declaration.as(StructDeclSyntax.self).map(classFix))
            }
            if let problem = EntityDeclaration.problem(of: declaration) {
                context.diagnose(problem)
                return declaration.standIns
            }
            let entity = try EntityDeclaration(
                declaration, attribute: node,
                isPublic: declaration.isPublic(in: context.lexicalContext))
            // The macro reports problems in addition to the expansion. Without the expansion, the
            // compiler would report a dozen further errors.
            EntityCheck(entity: entity, declaration: declaration, attribute: node)
                .problems(in: context)
                .forEach(context.diagnose)
            return entity.storages + DescriptionWriter(entity: entity).members
                + HookWriter(entity: entity).members + RowWriter(entity: entity).members
                + CreateWriter(entity: entity).members
        }

        private static func classFix(_ declaration: StructDeclSyntax) -> FixIt {
            let name = declaration.name
            return .write(
                "Make it a class of objects", (Syntax(declaration.structKeyword), "final class"),
                (Syntax(name), "\(name.text): ManagedObject"))
        }
    }

    extension EntityDeclaration {
        /// The variables that keep the values.
        ///
        /// They need no exclusivity checks. An accessor reads or replaces one whole value in the
        /// isolation of the object's context. The only code of the program that runs during an
        /// access is a conversion, and a conversion uses no object.
        fileprivate var storages: [DeclSyntax] {
            properties.filter { $0.kind != .toMany }.map {
                "\(raw: marks(of: $0)) var \(raw: $0.storage): \(raw: $0.storedType)"
            }
        }

        private func marks(of property: PropertyDeclaration) -> String {
            // @exclusivity(unchecked): see the proof at `storages`.
            "@exclusivity(unchecked) "
                + (property.kind == .attribute && !property.isTransient
                    ? property.marks(isPublic).storage : "private final")
        }
    }

    extension ClassDeclSyntax {
        /// Placeholder initializers for a class that cannot be an entity.
        ///
        /// Without them, the compiler would also report missing initializers, which are not the
        /// problem.
        fileprivate var standIns: [DeclSyntax] {
            if superclass != nil {
                // Unreachable: the class does not compile, so nothing calls these initializers.
                return ["row: borrowing RowCells, seed: ObjectSeed", "seed: ObjectSeed"].map {
                    "nonisolated required init(\(raw: $0)) { fatalError() }"
                }
            }
            let hasOne = memberBlock.members.contains { $0.decl.is(InitializerDeclSyntax.self) }
            // Unreachable: the class does not compile, so nothing calls this initializer.
            return hasOne ? [] : ["init() { fatalError() }"]
        }
    }
#endif
