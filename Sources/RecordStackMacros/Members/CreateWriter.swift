#if Macros
    import SwiftSyntax
    import SwiftSyntaxBuilder

    /// Writes `create(in:…)` with a parameter for each of the entity's own properties.
    ///
    /// A property without a default becomes a required parameter.
    struct CreateWriter {
        let entity: EntityDeclaration

        var members: [DeclSyntax] {
            // If there are no parameters, the inherited `create(in:)` is enough.
            if parameters.isEmpty { return [] }
            return entity.isAbstract
                ? [unavailableCreate(takingContext: true), unavailableCreate(takingContext: false)]
                : [create, createInDefaultContext]
        }

        private var parameters: [PropertyDeclaration] {
            entity.slots
        }

        private var access: String { entity.access == "open " ? "public " : entity.access }

        private var list: String { parameters.map(parameter).joined(separator: ", ") }

        private var create: DeclSyntax {
            let body = parameters.map(assignment).joined(separator: "\n    ")
            let context = local("context")
            return """
                /// Creates an object with these values.
                @discardableResult
                \(raw: access)static func create(
                    in \(raw: context): ManagedObjectContext, \(raw: list)
                ) throws -> Self {
                    let \(raw: object) = try \(raw: context).create(Self.self)
                    \(raw: body)
                    return \(raw: object)
                }
                """
        }

        /// The form for main-actor code.
        private var createInDefaultContext: DeclSyntax {
            let arguments = parameters.map { "\(label($0)): \($0.name)" }.joined(separator: ", ")
            return """
                /// Creates an object with these values in the main actor's default context.
                @discardableResult
                @MainActor \(raw: access)static func create(\(raw: list)) throws -> Self {
                    try create(
                        in: ContextStack.requireDefaultContext(), \(raw: arguments))
                }
                """
        }

        /// Writes a form of `create` that exists only for its error message.
        ///
        /// Subclasses inherit it. None of their own forms has the same parameters.
        private func unavailableCreate(takingContext: Bool) -> DeclSyntax {
            let context = local("context")
            let first = takingContext ? "in \(context): ManagedObjectContext, " : ""
            let body =
                takingContext
                ? context : "ContextStack.requireDefaultContext()"
            return """
                /// An abstract entity has no objects of its own.
                @available(
                    *, unavailable,
                    message: "\(raw: message)"
                )
                @discardableResult
                \(raw: takingContext ? "" : "@MainActor ")\(raw: access)static func create(
                    \(raw: first)\(raw: list)
                ) throws -> Self {
                    try \(raw: body).create(Self.self)
                }
                """
        }

        private var message: String {
            "\(entity.name) is abstract. Make an object of a subclass, with what the subclass itself "
                + "declares, and set what it inherits afterwards."
        }

        private var object: String { local("object") }

        /// Returns a name that no property has.
        ///
        /// The names of properties do not start with an underscore.
        private func local(_ name: String) -> String {
            parameters.contains { $0.name.trimmingBackticks == name } ? "_" + name : name
        }

        /// Returns the name as an argument label, without backticks where the compiler would warn.
        private func label(_ property: PropertyDeclaration) -> String {
            let plain = property.name.trimmingBackticks
            let isWord =
                plain.first?.isNumber == false
                && plain.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
            return isWord && !["inout", "var", "let"].contains(plain) ? plain : property.name
        }

        private func parameter(_ property: PropertyDeclaration) -> String {
            if property.isRequiredRelationship {
                return "\(property.name): \(property.destination)"
            }
            let value = property.defaultValue ?? (property.isOptional ? "nil" : nil)
            return "\(property.name): \(property.type)" + (value.map { " = \($0)" } ?? "")
        }

        private func assignment(_ property: PropertyDeclaration) -> String {
            let name = property.name
            // An optional property without a value stays nil.
            return property.isOptional && property.defaultValue == nil
                && !property.isRequiredRelationship
                ? "if let \(name) { \(object).\(name) = \(name) }" : "\(object).\(name) = \(name)"
        }
    }
#endif
