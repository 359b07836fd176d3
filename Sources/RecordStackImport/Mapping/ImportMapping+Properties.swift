import RecordStackGraph
import RecordStackModel

extension ImportMapping {
    /// An attribute, with the keys of its values and the rules for these values.
    final class Attribute {
        let description: AttributeDescription
        let slot: Int
        let conversion: ValueConversion
        let keys: [String]
        /// Whether the import looks for values under the keys.
        let isFound: Bool
        let rules: ImportRules
        /// The transforms of a value before it is converted, in order.
        let transforms: [(ImportValue) throws -> ImportValue]
        /// Whether the attribute is the identity, or part of it.
        let isIdentity: Bool
        private let firstDefault: StoredValue?

        init(
            _ description: AttributeDescription, _ declared: ImportDeclaration, keys: [String],
            entity: EntityDescription, _ options: ImportOptions,
            _ transforms: [(ImportValue) throws -> ImportValue]
        ) throws {
            self.description = description
            self.keys = keys
            isFound = declared.isImported != false
            slot = description.slot
            isIdentity = entity.identitySlots.contains(description.slot)
            firstDefault = description.defaultValue
            rules = ImportRules(options).overridden(by: declared)
            conversion = try ValueConversion(of: description, declared.dateFormats, entity: entity)
            // An array of these closures does not convert to an array of the other closure type.
            self.transforms = declared.transforms.map { body in { try body($0) } } + transforms
        }

        /// Whether the default is the same for all objects, unlike a new UUID or the current date.
        var hasConstantDefault: Bool { description.defaultValue == firstDefault }

        /// Whether a new object must have a value.
        ///
        /// A constant default does not suffice for an identity, because only one object
        /// could have it.
        var isNeeded: Bool {
            if isIdentity && !description.isOptional { return hasConstantDefault }
            return !description.hasDefault
        }

        /// The constant default of an attribute in the identity; nil if there is none.
        var identityDefault: StoredValue? {
            guard isIdentity, hasConstantDefault, let firstDefault, !firstDefault.isNull else {
                return nil
            }
            return firstDefault
        }

        /// Whether the attribute also takes objects and arrays.
        var takesContainers: Bool { !transforms.isEmpty || conversion.isText }

        /// A description of the values that the attribute accepts, for a message.
        var expectation: String {
            conversion.isByStorage ? Wording.article(description.typeName) : conversion.expectation
        }
    }

    /// A relationship, with its keys and its destination.
    final class Relation {
        let description: RelationshipDescription
        let keys: [String]
        let rules: ImportRules
        /// The mapping of the destination. The importer keeps all of its mappings alive.
        unowned let destination: ImportMapping
        /// The index of the inverse among the destination's relationships; nil if there is none.
        let inverse: Int?
        /// Whether the relationship is the identity of its objects, or a part of it.
        let isPartOfIdentity: Bool

        init(
            _ description: RelationshipDescription, of entity: EntityDescription, keys: [String],
            rules: ImportRules, destination: ImportMapping
        ) {
            self.description = description
            inverse = description.inverse(of: entity)?.index
            isPartOfIdentity = description.slot.map(entity.identitySlots.contains) ?? false
            self.keys = keys
            self.rules = rules
            self.destination = destination
        }
    }
}
