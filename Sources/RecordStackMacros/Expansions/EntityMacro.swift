#if Macros
    import SwiftDiagnostics
    import SwiftSyntax
    import SwiftSyntaxBuilder
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
            // The problems are reported in addition to the expansion, not instead of it: without it, the
            // compiler would have a dozen more things to say.
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
        /// What keeps the values. Nothing need check that accesses exclude each other: accessors read or replace one whole value
        /// in the isolation of the object's context, and conversions, the only code of the program that runs meanwhile, touch
        /// no object.
        fileprivate var storages: [DeclSyntax] {
            properties.filter { $0.kind != .toMany }.map {
                "\(raw: marks(of: $0)) var \(raw: $0.storage): \(raw: $0.storedType)"
            }
        }

        private func marks(of property: PropertyDeclaration) -> String {
            // @exclusivity(unchecked): see `storages`.
            "@exclusivity(unchecked) "
                + (property.kind == .attribute && !property.isTransient
                    ? property.marks(isPublic).storage : "private final")
        }
    }

    extension ClassDeclSyntax {
        /// Initializers for a class that can be no entity: the compiler would say that they are missing, where there is
        /// something else to write.
        fileprivate var standIns: [DeclSyntax] {
            if superclass != nil {
                // Nobody calls them, because the class does not compile.
                return ["row: borrowing RowCells, seed: ObjectSeed", "seed: ObjectSeed"].map {
                    "nonisolated required init(\(raw: $0)) { fatalError() }"
                }
            }
            let hasOne = memberBlock.members.contains { $0.decl.is(InitializerDeclSyntax.self) }
            // Nobody calls it, for the same reason.
            return hasOne ? [] : ["init() { fatalError() }"]
        }
    }
#endif
