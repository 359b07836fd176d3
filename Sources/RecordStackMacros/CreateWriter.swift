#if Macros
    import SwiftSyntax
    import SwiftSyntaxBuilder

    /// Writes `create(in:…)` with a parameter for each of the entity's own properties: what has no
    /// default must be given.
    struct CreateWriter {
        let entity: EntityDeclaration

        var members: [DeclSyntax] {
            // Without a property that must be given, the inherited create(in:) does as well.
            if parameters.isEmpty { return [] }
            return [entity.isAbstract ? unavailableCreate : create]
        }

        private var parameters: [PropertyDeclaration] {
            entity.slots
        }

        private var create: DeclSyntax {
            let access = entity.access == "open " ? "public " : entity.access
            let list = parameters.map(parameter).joined(separator: ", ")
            let body = parameters.map(assignment).joined(separator: "\n    ")
            let context = local("context")
            return """
                /// Makes a new object with these values.
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

        /// There for its message. The subclasses have it as well, and none of their own has the same
        /// parameters.
        private var unavailableCreate: DeclSyntax {
            let access = entity.access == "open " ? "public " : entity.access
            let list = parameters.map(parameter).joined(separator: ", ")
            let context = local("context")
            return """
                /// No object is made of an abstract entity.
                @available(
                    *, unavailable,
                    message: "\(raw: message)"
                )
                @discardableResult
                \(raw: access)static func create(
                    in \(raw: context): ManagedObjectContext, \(raw: list)
                ) throws -> Self {
                    try \(raw: context).create(Self.self)
                }
                """
        }

        private var message: String {
            "\(entity.name) is abstract. Make an object of a subclass, with what the subclass itself "
                + "declares, and set what it inherits afterwards."
        }

        private var object: String { local("object") }

        /// A name that no property has. Theirs do not begin with an underscore.
        private func local(_ name: String) -> String {
            parameters.contains { $0.name.trimmingBackticks == name } ? "_" + name : name
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
            // A nil that was not given is what the object has anyway.
            return property.isOptional && property.defaultValue == nil
                && !property.isRequiredRelationship
                ? "if let \(name) { \(object).\(name) = \(name) }" : "\(object).\(name) = \(name)"
        }
    }
#endif
