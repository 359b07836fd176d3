#if Macros
    import SwiftSyntax
    import SwiftSyntaxBuilder

    /// Writes which life-cycle hooks a class overrides, so that contexts need not find out.
    struct HookWriter {
        let entity: EntityDeclaration

        private static let names = [
            "awakeFromInsert", "awakeFromFetch", "willSave", "didSave", "prepareForDeletion",
            "validateForInsert", "validateForUpdate", "validateForDelete",
        ]

        var members: [DeclSyntax] {
            (entity.hooks.isEmpty || entity.listsHooks ? [] : [list])
                + (entity.hooks.contains("awakeFromFetch") ? [access] : [])
        }

        private var list: DeclSyntax {
            """
            \(raw: entity.access)override class var lifeCycleHooks: LifeCycleHooks {
                super.lifeCycleHooks.union([\(raw: entity.hooks.map { "." + $0 }.joined(separator: ", "))])
            }
            """
        }

        /// The accessors of a class that awakes from fetches, and of its subclasses, see to it that the
        /// hook comes first.
        private var access: DeclSyntax {
            let access = entity.access == "open " ? "public " : entity.access
            return "\(raw: access)typealias RecordAccess = AwakingAccess"
        }

        /// The hooks that stand in a class.
        static func hooks(among members: [DeclSyntax]) -> [String] {
            let found = members.compactMap { member -> String? in
                guard let function = member.as(FunctionDeclSyntax.self),
                    function.modifiers.contains(where: { $0.name.text == "override" }),
                    function.signature.parameterClause.parameters.isEmpty
                else { return nil }
                return function.name.text
            }
            return names.filter(found.contains)
        }

        /// The declarations of a member: of all clauses of an `#if`, because which holds is not known
        /// here, and to call a hook that is not overridden does no harm.
        static func declarations(of member: MemberBlockItemSyntax) -> [DeclSyntax] {
            guard let conditional = member.decl.as(IfConfigDeclSyntax.self) else {
                return [member.decl]
            }
            return conditional.clauses.flatMap { clause -> [DeclSyntax] in
                guard case .decls(let members)? = clause.elements else { return [] }
                return members.flatMap(declarations)
            }
        }
    }

    extension DeclSyntax {
        /// Whether it is `lifeCycleHooks`, which the macro writes.
        var declaresHookList: Bool {
            guard let variable = self.as(VariableDeclSyntax.self) else { return false }
            return variable.bindings.contains {
                $0.pattern.trimmedDescription == "lifeCycleHooks"
            }
        }
    }
#endif
