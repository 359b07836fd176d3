#if Macros
    import SwiftSyntax
    import SwiftSyntaxBuilder
    import SwiftSyntaxMacros

    /// `@Attribute`: the value is kept in a property of its own, and each access goes through the
    /// object's bookkeeping.
    struct AttributeMacro: AccessorMacro, PeerMacro {
        static func expansion(
            of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [AccessorDeclSyntax] {
            guard let variable = declaration.as(VariableDeclSyntax.self) else { return [] }
            let property = try PropertyDeclaration(variable, marked: node)
            try property.checkPlace(in: context)
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
            let place = SourcePlace(of: variable, in: context)
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
                    \(raw: place.start)
                    willChangeValue(at: RecordSlot.\(raw: name), from: \(raw: property.storage))
                    \(raw: place.end)
                    \(raw: property.storage) = newValue
                }
                """,
            ]
        }

        static func expansion(
            of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            // What is wrong with the property is said once, by the accessors.
            guard let variable = declaration.as(VariableDeclSyntax.self),
                let property = try? PropertyDeclaration(variable, marked: node),
                property.kind != .toMany
            else { return [] }
            return ["private final var \(raw: property.storage): \(raw: property.storedType)"]
        }
    }

    /// `@Relationship`: the key of a to-one is kept in a property of its own; a to-many has none.
    struct RelationshipMacro: AccessorMacro, PeerMacro {
        static func expansion(
            of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [AccessorDeclSyntax] {
            guard let variable = declaration.as(VariableDeclSyntax.self) else { return [] }
            let property = try PropertyDeclaration(variable, marked: node)
            try property.checkPlace(in: context)
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

        static func expansion(
            of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            try AttributeMacro.expansion(of: node, providingPeersOf: declaration, in: context)
        }
    }
#endif
