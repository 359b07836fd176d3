#if Macros
    import SwiftSyntax
    import SwiftSyntaxBuilder
    import SwiftSyntaxMacros

    /// `@Attribute`: the value is kept in a property of its own, and each access goes through the
    /// object's bookkeeping.
    struct AttributeMacro: AccessorMacro {
        static func expansion(
            of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [AccessorDeclSyntax] {
            guard let variable = declaration.as(VariableDeclSyntax.self) else { return [] }
            let property = try PropertyDeclaration(variable, marked: node)
            try property.checkScope(in: context)
            let name = property.name
            if property.isTransient {
                // Loading would make a value that was set before begin anew.
                return [
                    """
                    get {
                        willAccessValue(RecordAccess.self)
                        return \(raw: property.storage)
                    }
                    """,
                    """
                    set {
                        willAccessValue(RecordAccess.self)
                        \(raw: property.storage) = newValue
                    }
                    """,
                ]
            }
            // A type that cannot be stored is an error of the next call: it is to be where the property is.
            let change = LocationDirective(of: variable, in: context)
                .marking("willChangeValue(at: RecordSlot.\(name), from: \(property.storage))")
            let outer = context.lexicalContext
            let marks = AccessorMarks(
                variable,
                isInPublicClass: outer.first?.as(ClassDeclSyntax.self)?
                    .isPublic(in: outer.dropFirst()) == true)
            return [
                """
                \(raw: marks.getter)get {
                    willAccessValue(RecordAccess.self)
                    return \(raw: property.storage)
                }
                """,
                """
                \(raw: marks.setter)set {
                    willSetValue(RecordAccess.self)
                    \(raw: change)
                    \(raw: property.storage) = newValue
                }
                """,
            ]
        }
    }

    /// `@Relationship`: the key of a to-one is kept in a property of its own; a to-many has none.
    struct RelationshipMacro: AccessorMacro {
        static func expansion(
            of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [AccessorDeclSyntax] {
            guard let variable = declaration.as(VariableDeclSyntax.self) else { return [] }
            let property = try PropertyDeclaration(variable, marked: node)
            try property.checkScope(in: context)
            let name = property.name
            if property.kind == .toMany {
                return ["get { \(raw: property.type)(of: self, at: RecordSlot.\(raw: name)) }"]
            }
            return [
                """
                get {
                    willAccessValue(RecordAccess.self)
                    return toOne(at: RecordSlot.\(raw: name), key: \(raw: property.storage))
                }
                """,
                """
                set {
                    \(raw: property.storage) = changeToOne(at: RecordSlot.\(raw: name), to: newValue)
                }
                """,
            ]
        }
    }
#endif
