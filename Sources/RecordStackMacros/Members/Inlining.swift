#if Macros
    import SwiftSyntax

    // Accessors of what other modules see are inlined there: a call for each of them costs several times what it does.
    extension ClassDeclSyntax {
        /// Whether other modules see the class.
        /// - Parameter outer: what it stands in. Of an extension it is not known whether they see that.
        func isPublic(in outer: some Sequence<Syntax>) -> Bool {
            modifiers.arePublic
                && outer.allSatisfy {
                    $0.asProtocol((any WithModifiersSyntax).self)?
                        .modifiers.arePublic == true && !$0.is(ExtensionDeclSyntax.self)
                }
        }
    }

    extension DeclModifierListSyntax {
        var arePublic: Bool {
            contains { ["public", "open"].contains($0.name.text) && $0.detail == nil }
        }

        /// Whether setting is left to fewer than reading, as with `private(set)`.
        fileprivate var limitsSetter: Bool { contains { $0.detail?.detail.text == "set" } }
    }

    /// What stands before an attribute's accessors and its storage.
    struct AccessorMarks {
        let getter: String
        let setter: String
        let storage: String

        /// - Parameter isInPublicClass: whether other modules see the entity.
        init(_ variable: VariableDeclSyntax, isInPublicClass: Bool) {
            let isInlined = isInPublicClass && variable.modifiers.arePublic
            getter = isInlined ? "@inlinable " : ""
            setter = isInlined && !variable.modifiers.limitsSetter ? "@inlinable " : ""
            storage = isInlined ? "@usableFromInline final" : "private final"
        }
    }
#endif
