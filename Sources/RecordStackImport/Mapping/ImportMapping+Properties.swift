import RecordStackGraph
import RecordStackModel

extension ImportMapping {
    /// An attribute: under which keys it is found, and what becomes of what is found there.
    final class Attribute {
        let description: AttributeDescription
        let slot: Int
        let conversion: ValueConversion
        let keys: [String]
        /// Whether values are looked for under the keys.
        let isFound: Bool
        let rules: ImportRules
        /// What becomes of a value before it is converted, one after another.
        let transforms: [(ImportValue) throws -> ImportValue]
        /// Whether objects are known by it, alone or with others.
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
            // Functions of another type, of which an array cannot be made into one of these.
            self.transforms = declared.transforms.map { body in { try body($0) } } + transforms
        }

        /// Whether its default is the same for all objects, and no new UUID or date for each.
        var hasConstantDefault: Bool { description.defaultValue == firstDefault }

        /// Whether a new object has to be given it. Were its identity what all of them begin with, there could be only one.
        var isNeeded: Bool {
            if isIdentity && !description.isOptional { return hasConstantDefault }
            return !description.hasDefault
        }

        /// The value that all new objects have, where objects are known by it; nil for none.
        var identityDefault: StoredValue? {
            guard isIdentity, hasConstantDefault, let firstDefault, !firstDefault.isNull else {
                return nil
            }
            return firstDefault
        }

        /// Whether objects and arrays are values of it as well.
        var takesContainers: Bool { !transforms.isEmpty || conversion.isText }

        /// What the attribute wants, for a message.
        var expectation: String {
            conversion.isByStorage ? Wording.article(description.typeName) : conversion.expectation
        }
    }

    /// A relationship: the keys under which it is found, and its destination.
    final class Relation {
        let description: RelationshipDescription
        let keys: [String]
        let rules: ImportRules
        /// Where the properties of the destination are found. The importer holds on to all of its mappings.
        unowned let destination: ImportMapping
        /// The index of the inverse among the destination's relationships; nil if there is no inverse.
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
