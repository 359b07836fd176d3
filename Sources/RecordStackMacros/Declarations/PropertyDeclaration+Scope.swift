#if Macros
    import SwiftSyntax
    import SwiftSyntaxMacros

    extension PropertyDeclaration {
        /// Throws an error if the property is not declared in the body of an entity.
        func checkScope(in context: some MacroExpansionContext) throws {
            guard let outer = context.lexicalContext.first?.as(ClassDeclSyntax.self) else {
                throw macroError(
                    "\(name) can be stored in an entity alone: declare it in a class that is marked "
                        + "with @Entity, not in a struct, an extension or a file.", at: attribute)
            }
            if outer.attributes.contains(where: \.isEntityMark) { return }
            throw macroError(
                "\(outer.name.trimmedDescription) is no entity, so \(name) cannot be stored. Write "
                    + "@Entity before the class.", at: attribute)
        }
    }

    extension AttributeListSyntax.Element {
        fileprivate var isEntityMark: Bool {
            switch self {
            case .attribute(let attribute):
                attribute.attributeName.trimmedDescription.split(separator: ".").last == "Entity"
            // The macro cannot determine which clause of the `#if` is active.
            case .ifConfigDecl: true
            }
        }
    }
#endif
