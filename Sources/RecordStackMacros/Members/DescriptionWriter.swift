#if Macros
    import SwiftSyntax
    import SwiftSyntaxBuilder

    /// Writes the entity's description: its name, its properties and their indexes.
    struct DescriptionWriter {
        let entity: EntityDeclaration

        var members: [DeclSyntax] {
            [indexes, slotCount, relationshipCount, properties, description, storedDescription]
                + (entity.inheritsEntity ? [superentity] : [])
        }

        private var relationships: [PropertyDeclaration] {
            entity.properties.filter { $0.kind != .attribute }
        }

        private var indexes: DeclSyntax {
            let mark = entity.isPublic ? "@inlinable " : ""
            let slots = entity.slots.enumerated().map { index, property in
                "\(mark)static var \(property.name): Int { \(entity.index(index, after: "slotCount")) }"
            }
            let many = relationships.enumerated().filter { $1.kind == .toMany }.map {
                "\(mark)static var \($1.name): Int { \(entity.index($0, after: "relationshipCount")) }"
            }
            return """
                \(raw: entity.isPublic ? "@usableFromInline" : "private") enum RecordSlot {
                    \(raw: (slots + many).joined(separator: "\n    "))
                }
                """
        }

        private var slotCount: DeclSyntax {
            """
            \(raw: entity.access)override class var slotCount: Int { \
            \(raw: entity.index(entity.slots.count, after: "slotCount")) }
            """
        }

        private var relationshipCount: DeclSyntax {
            """
            \(raw: entity.access)override class var relationshipCount: Int { \
            \(raw: entity.index(relationships.count, after: "relationshipCount")) }
            """
        }

        private var properties: DeclSyntax {
            let lines = entity.properties.filter { !$0.isTransient }.map(line).joined(
                separator: ",\n        ")
            let access = entity.access == "open " ? "public " : entity.access
            return """
                \(raw: access)static func properties<Root: \(raw: entity.name)>(
                    of root: Root.Type
                ) -> [PropertyDescription] {
                    let own: [PropertyDescription] = [
                        \(raw: lines)
                    ]
                    return \(raw: entity.superclass).properties(of: root) + own
                }
                """
        }

        /// Options of other libraries, which exist only for their error messages.
        private static let foreignOptions: Set<String> = [
            ".ephemeral", ".externalStorage", ".spotlight", ".allowsCloudEncryption",
        ]

        private func line(_ property: PropertyDeclaration) -> String {
            let path = "\\Root.\(property.name), \"\(property.name.trimmingBackticks)\""
            var arguments = property.attribute.plainArguments.filter {
                !Self.foreignOptions.contains($0)
            }
            for label in ["deleteRule", "inverse"] {
                if let value = property.attribute.argument(labeled: label) {
                    arguments.append("\(label): \(value)")
                }
            }
            switch property.kind {
            case .attribute:
                if let value = property.defaultValue, value != "nil" {
                    arguments.append("default: \(value)")
                }
                let list = ([path] + arguments).joined(separator: ", ")
                return "\(property.access).property(\(list))"
            case .toOne: return ".toOne(\(([path] + arguments).joined(separator: ", ")))"
            case .toMany:
                let to = "to: \(property.destination).self"
                return ".toMany(\(([path, to] + arguments).joined(separator: ", ")))"
            }
        }

        private var description: DeclSyntax {
            """
            \(raw: entity.access)override class var entityDescription: EntityDescription {
                storedDescription
            }
            """
        }

        /// The function that returns the superentity.
        ///
        /// It is a separate function so that the compiler reports our message if the superclass is
        /// not an entity.
        private var superentity: DeclSyntax {
            """
            private static func superentity() -> EntityDescription {
                .superentity(\(raw: entity.superclass).self)
            }
            """
        }

        private var storedDescription: DeclSyntax {
            let superentity =
                entity.inheritsEntity
                ? "superentity: superentity(), " : ""
            let keyPaths = entity.identity.map { "\\\(entity.name).\($0)" }
            let identity =
                keyPaths.isEmpty ? "" : ", identity: \(keyPaths.joined(separator: ", "))"
            let options =
                entity.options.isEmpty
                ? "" : ", options: [\(entity.options.joined(separator: ", "))]"
            return """
                private static let storedDescription = EntityDescription(
                    name: \(literal: entity.entityName), type: \(raw: entity.name).self,
                    \(raw: superentity)properties: properties(of: \(raw: entity.name).self)\
                \(raw: identity)\(raw: options)
                )
                """
        }
    }
#endif
