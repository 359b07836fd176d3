#if Macros
    import SwiftSyntax

    // Other modules inline the accessors of public properties, because a call would cost several
    // times as much as the access.
    extension ClassDeclSyntax {
        /// Whether other modules can see the class.
        ///
        /// - Parameter outer: The declarations around the class. For an extension, the macro cannot
        ///   determine whether other modules see the extended type.
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

        /// Whether the setter has less access than the getter, as with `private(set)`.
        fileprivate var limitsSetter: Bool { contains { $0.detail?.detail.text == "set" } }
    }

    /// The attributes and modifiers of an attribute's accessors and of its storage.
    struct AccessorMarks {
        let getter: String
        let setter: String
        let storage: String

        /// - Parameter isInPublicClass: Whether other modules can see the entity.
        init(_ variable: VariableDeclSyntax, isInPublicClass: Bool) {
            let isInlined = isInPublicClass && variable.modifiers.arePublic
            getter = isInlined ? "@inlinable " : ""
            setter = isInlined && !variable.modifiers.limitsSetter ? "@inlinable " : ""
            storage = isInlined ? "@usableFromInline final" : "private final"
        }
    }
#endif
