#if Macros
    import SwiftSyntax
    import SwiftSyntaxBuilder

    /// Writes the list of the life-cycle hooks that a class overrides.
    ///
    /// Contexts therefore do not need to search for hooks at run time.
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

        /// Writes the type that makes accessors call `awakeFromFetch` first.
        ///
        /// The subclasses of the class inherit it.
        private var access: DeclSyntax {
            let access = entity.access == "open " ? "public " : entity.access
            return "\(raw: access)typealias RecordAccess = AwakingAccess"
        }

        /// Returns the hooks among the members of a class.
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

        /// Returns the declarations of a member.
        ///
        /// For an `#if`, these are the declarations of all clauses, because the macro cannot
        /// determine which one is active. Calling a hook that is not overridden does no harm.
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
        /// Whether this declares `lifeCycleHooks`, which the macro writes.
        var declaresHookList: Bool {
            guard let variable = self.as(VariableDeclSyntax.self) else { return false }
            return variable.bindings.contains {
                $0.pattern.trimmedDescription == "lifeCycleHooks"
            }
        }
    }
#endif
