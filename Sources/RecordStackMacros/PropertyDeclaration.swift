#if Macros
    import SwiftSyntax

    /// A property that is marked with `@Attribute` or `@Relationship`.
    struct PropertyDeclaration {
        enum Kind {
            case attribute, toOne, toMany
        }

        let name: String
        let type: String
        let kind: Kind
        let attribute: AttributeSyntax
        /// The text of the initial value.
        let defaultValue: String?

        /// The marked properties of a member declaration; none for any other.
        static func all(in member: DeclSyntax) throws -> [PropertyDeclaration] {
            guard let variable = member.as(VariableDeclSyntax.self),
                let mark = variable.mark
            else { return [] }
            return [try PropertyDeclaration(variable, marked: mark)]
        }

        init(_ variable: VariableDeclSyntax, marked attribute: AttributeSyntax) throws {
            self.attribute = attribute
            guard variable.bindings.count == 1, let binding = variable.bindings.first,
                let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
            else { throw MacroError("Declare each property on its own: var name: Type.") }
            name = pattern.identifier.text
            defaultValue = binding.initializer?.value.trimmedDescription
            guard let type = Self.type(of: binding) else {
                throw MacroError("\(name) needs a type: var \(name): Type.")
            }
            self.type = type
            kind = try Self.kind(of: attribute, name: name, type: type)
        }

        private static func type(of binding: PatternBindingSyntax) -> String? {
            if let written = binding.typeAnnotation?.type { return written.trimmedDescription }
            guard let value = binding.initializer?.value else { return nil }
            // The compiler's own choice for these literals.
            if value.is(StringLiteralExprSyntax.self) { return "String" }
            if value.is(IntegerLiteralExprSyntax.self) { return "Int" }
            if value.is(FloatLiteralExprSyntax.self) { return "Double" }
            if value.is(BooleanLiteralExprSyntax.self) { return "Bool" }
            return nil
        }

        private static func kind(
            of attribute: AttributeSyntax, name: String, type: String
        ) throws -> Kind {
            if attribute.attributeName.trimmedDescription == "Attribute" { return .attribute }
            if type.hasPrefix("ToMany<") {
                guard attribute.plainArguments.isEmpty else {
                    throw MacroError(
                        "A to-many relationship has no column, so it takes no options. Declare them "
                            + "at the to-one relationship that leads back.")
                }
                return .toMany
            }
            if type.hasSuffix("?") || type.hasPrefix("Optional<") { return .toOne }
            throw MacroError(
                "A to-one relationship is optional: var \(name): \(type)?. To require one, write "
                    + "@Relationship(.required).")
        }

        /// What is between the brackets, or before the question mark: the class at the other end.
        var destination: String {
            if kind == .toMany { return String(type.dropFirst("ToMany<".count).dropLast()) }
            return type.hasSuffix("?")
                ? String(type.dropLast()) : String(type.dropFirst("Optional<".count).dropLast())
        }

        var isOptional: Bool { type.hasSuffix("?") || type.hasPrefix("Optional<") }

        var isRequiredRelationship: Bool {
            attribute.plainArguments.contains { $0.hasSuffix(".required") }
        }

        /// The type of what is kept in the object.
        var storedType: String { kind == .toOne ? "Int64" : type }
    }

    extension VariableDeclSyntax {
        /// The mark that makes the variable a property of an entity.
        var mark: AttributeSyntax? {
            attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }.first {
                ["Attribute", "Relationship"].contains($0.attributeName.trimmedDescription)
            }
        }
    }

    /// A message for the place where the macro is written.
    struct MacroError: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }
#endif
