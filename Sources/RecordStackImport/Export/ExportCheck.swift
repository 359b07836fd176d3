import FoundationEssentials
import RecordStackGraph
import RecordStackModel

/// Reads the text of an export as an import would, and compares it with the object.
final class ExportCheck {
    private let mappings: ImportMappings
    private var isFinished = false

    init(_ options: ExportOptions) {
        var importing = ImportOptions()
        importing.keyStyle = options.keyStyle
        importing.profile = options.profile
        mappings = ImportMappings(importing, ImportHooks())
    }

    /// Checks that an import of an object's text would restore its properties.
    ///
    /// - Parameters:
    ///   - text: the text that the export wrote for the object.
    ///   - expected: the entity whose objects an import would create at the location.
    ///   - members: returns the objects of a relationship that the export wrote.
    /// - Throws: ``RecordStackError/Code/misuse`` if an import would read another value
    ///   of a property.
    func check(
        _ text: [UInt8], _ object: ManagedObject, _ shape: ExportShape,
        as expected: EntityDescription,
        members: (ExportShape.Relation) throws -> [ManagedObject]
    ) throws {
        let mapping = try mappings.mapping(of: expected)
        _ = try mappings.mapping(of: shape.entity)
        try mappings.finish()
        defer { for mapping in mappings.all { mapping.rows.removeAll() } }
        let value = try text.withUnsafeBytes { try ImportValue(json: $0) }
        let row = try ValueReader().read(value, mapping, number: 0)
        if row.refusal != nil || !row.mapping.entity.isSame(as: shape.entity) {
            let named = row.refusal ?? "An import would make a \(row.mapping.entity.name) of it."
            throw lost(shape.entity, "the kind", named)
        }
        for property in shape.properties {
            switch property {
            case .attribute(let attribute): try check(attribute, object, row)
            case .relation(let relation): try check(relation, try members(relation), row)
            case .kind: break
            }
        }
    }

    private func check(
        _ attribute: ExportAttribute, _ object: ManagedObject, _ row: StagedRow
    ) throws {
        let slot = attribute.description.slot
        let value = object.storedValue(at: slot)
        if row[slot].kind != .unfit, attribute.isSame(value, as: row.value(ofNew: slot)) { return }
        let found =
            row[slot].kind == .unfit ? row.unfit(slot).found : row.value(ofNew: slot).excerpt
        throw lost(
            row.mapping.entity, attribute.description.name,
            "It is \(value.excerpt), and would come back as \(found).")
    }

    private func check(
        _ relation: ExportShape.Relation, _ objects: [ManagedObject], _ row: StagedRow
    ) throws {
        let name = relation.description.name
        guard let index = row.mapping.relations.firstIndex(where: { $0.description.name == name })
        else { return }
        var members: [StagedMember] = []
        if case .members(let found, _, _) = row.related(index) { members = found }
        if members.count == objects.count, zip(members, objects).allSatisfy({ $0.isKey(of: $1) }) {
            return
        }
        throw lost(
            row.mapping.entity, name,
            "It refers to \(objects.count) objects, and other ones would come back.")
    }

    private func lost(
        _ entity: EntityDescription, _ property: String, _ what: String
    ) -> RecordStackError {
        RecordStackError(
            .misuse,
            "\(property) of \(entity.name) cannot be written beside what is written with it, by the keys that are "
                + "declared. \(what) Leave one of them out with options.except, or declare other keys, or an .exportTransform.",
            entity: entity.name, property: property)
    }
}

extension StagedRow {
    /// Returns the value that a new object of the row has.
    fileprivate func value(ofNew slot: Int) -> StoredValue {
        guard let attribute = mapping.attributes[slot] else { return .null }
        let preset = attribute.description.defaultValue ?? .null
        switch self[slot].kind {
        case .value: return cells[slot].storedValue
        case .absent, .unfit: return preset
        case .null:
            return attribute.rules.null == .clear && attribute.description.isOptional
                ? .null : preset
        }
    }
}

extension StagedMember {
    /// Whether the member can refer to the object.
    ///
    /// Every part of the object's identity that the member has must be correct.
    fileprivate func isKey(of object: ManagedObject) -> Bool {
        let entity = type(of: object).entityDescription
        switch self {
        case .unfit: return false
        case .key(let value):
            return entity.identity.map { object.storedValue(at: $0.slot) == value } ?? false
        case .row(let row):
            return entity.identitySlots.allSatisfy { slot in
                guard row.mapping.attributes.indices.contains(slot),
                    row.mapping.attributes[slot] != nil, row[slot].kind == .value
                else { return true }
                return row.cells[slot].storedValue == object.storedValue(at: slot)
            }
        }
    }
}

extension ExportAttribute {
    /// Whether a value that was read is the value that was written.
    ///
    /// A date that was written as a number of seconds or milliseconds may lose its last bits.
    fileprivate func isSame(_ value: StoredValue, as read: StoredValue) -> Bool {
        if value == read { return true }
        guard isDate, let date = Date(storedValue: value), let other = Date(storedValue: read)
        else { return false }
        return abs(other.timeIntervalSince(date)) <= 4 * date.timeIntervalSince1970.ulp
    }
}
