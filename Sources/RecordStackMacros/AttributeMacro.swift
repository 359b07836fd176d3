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
            let name = property.name
            return [
                """
                get {
                    willAccessValue()
                    return _\(raw: name)
                }
                """,
                """
                set {
                    willChangeValue(at: RecordSlot.\(raw: name), from: _\(raw: name))
                    _\(raw: name) = newValue
                }
                """,
            ]
        }

        static func expansion(
            of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            guard let variable = declaration.as(VariableDeclSyntax.self) else { return [] }
            let property = try PropertyDeclaration(variable, marked: node)
            if property.kind == .toMany { return [] }
            return ["private final var _\(raw: property.name): \(raw: property.storedType)"]
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
            let name = property.name
            if property.kind == .toMany {
                return ["get { ToMany(of: self, at: RecordSlot.\(raw: name)) }"]
            }
            return [
                """
                get {
                    willAccessValue()
                    return toOne(at: RecordSlot.\(raw: name), key: _\(raw: name))
                }
                """,
                """
                set {
                    _\(raw: name) = changeToOne(at: RecordSlot.\(raw: name), to: newValue)
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
