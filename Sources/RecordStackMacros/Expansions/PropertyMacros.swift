#if Macros
    import SwiftSyntax
    import SwiftSyntaxBuilder
    import SwiftSyntaxMacros

    /// Expands `@Attribute` to accessors of the variable that keeps the value.
    ///
    /// Each access goes through the bookkeeping of the object.
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
                // Load the object first: loading it later would reset a value that was set before.
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
            // If the type cannot be stored, the next call does not compile. The directives make the
            // compiler report that error at the property.
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

    /// Expands `@Relationship` to accessors.
    ///
    /// A variable keeps the row key of a to-one relationship. A to-many relationship has no
    /// variable.
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
