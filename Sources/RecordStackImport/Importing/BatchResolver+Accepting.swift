import RecordStackGraph
import RecordStackModel

// The selection of the values that an object takes from its row, by the rules of each attribute.
extension BatchResolver {
    /// Returns the slots of the values that the object takes.
    ///
    /// Afterwards, the row also has cells for attributes that are cleared or set to their defaults.
    ///
    /// - Parameter found: the object of the row; nil if it is still to be created.
    /// - Returns: nil for a row that is skipped and reported.
    func accept(_ row: StagedRow, _ found: ManagedObject?) -> SlotSet? {
        if let slots = row.mapping.accepting.slots(of: row, isNew: found == nil) { return slots }
        var slots = SlotSet()
        let isReference = row.isReference
        for attribute in row.mapping.imported {
            let mark = row[attribute.slot]
            switch mark.kind {
            case .value:
                if attribute.rules.takesValue(at: attribute.slot, of: found) {
                    slots.insert(attribute.slot)
                }
            case .absent where isReference: break
            case .absent: acceptAbsent(attribute, row, found, &slots)
            case .null:
                guard acceptNull(attribute, row, mark.priority, found, &slots) else { return nil }
            case .unfit:
                guard acceptUnfit(attribute, row, mark.priority) else { return nil }
            }
        }
        if found != nil { return slots }
        let missing = row.mapping.needed.filter { !slots.contains($0.slot) }
        if missing.isEmpty { return slots }
        refuse(row, without: missing)
        return nil
    }

    /// Reports the row as skipped.
    ///
    /// - Parameter missing: the attributes that a new object needs and that the row lacks.
    private func refuse(_ row: StagedRow, without missing: [ImportMapping.Attribute]) {
        if let attribute = missing.first(where: { !$0.description.hasDefault }) {
            return refuse(row, attribute, attribute.keys[0], "is required.")
        }
        // All missing attributes have defaults here: they are needed because they are part
        // of the identity.
        let (attribute, mapping) = (missing[0], row.mapping)
        if mapping.identityDefaults.isEmpty {
            return refuse(row, attribute, attribute.keys[0], "is required.")
        }
        note(
            row, key: attribute.keys[0], attribute.description.name,
            "The row says nothing of \(mapping.identityNames), by which \(Wording.article(mapping.entity.name)) is known.",
            isLeftOut: true)
    }

    private func acceptAbsent(
        _ attribute: ImportMapping.Attribute, _ row: StagedRow, _ found: ManagedObject?,
        _ slots: inout SlotSet
    ) {
        // A new object already has its defaults. An object that was found keeps the identity that
        // it was found by.
        if found == nil || attribute.isIdentity || attribute.rules.absent == .leave { return }
        let empty = attribute.empty(clears: attribute.rules.absent == .clear, found)
        if case .value(let value) = empty { set(row, attribute.slot, value, &slots) }
    }

    private func acceptNull(
        _ attribute: ImportMapping.Attribute, _ row: StagedRow, _ priority: Int,
        _ found: ManagedObject?, _ slots: inout SlotSet
    ) -> Bool {
        if attribute.rules.null == .ignore {
            acceptAbsent(attribute, row, found, &slots)
            return true
        }
        switch attribute.empty(clears: attribute.rules.null == .clear, found) {
        case .value(let value): set(row, attribute.slot, value, &slots)
        case .asItIs: break
        case .refused:
            refuse(row, attribute, attribute.keys[priority], "is null.")
            return false
        }
        return true
    }

    private func set(
        _ row: StagedRow, _ slot: Int, _ value: StoredValue, _ slots: inout SlotSet
    ) {
        row.cells[slot] = row.rows.cell(value)
        slots.insert(slot)
    }

    private func acceptUnfit(
        _ attribute: ImportMapping.Attribute, _ row: StagedRow, _ priority: Int
    ) -> Bool {
        let message = row.unfit(attribute.slot).message(attribute.expectation)
        let description = attribute.description
        // Without its identity, the row would belong to another object.
        if !description.isOptional || attribute.isIdentity {
            refuse(row, attribute, attribute.keys[priority], message)
            return false
        }
        note(
            row, key: attribute.keys[priority], description.name, "\(description.name) \(message)")
        return true
    }

    private func refuse(
        _ row: StagedRow, _ attribute: ImportMapping.Attribute, _ key: String, _ message: String
    ) {
        let name = attribute.description.name
        note(row, key: key, name, "\(name) \(message)", isLeftOut: true)
    }
}

extension ImportMapping.Attribute {
    /// The effect on an attribute that gets no value.
    fileprivate enum Empty {
        case value(StoredValue)
        case asItIs
        /// The attribute needs a value, so the row is skipped.
        case refused
    }

    /// Returns the effect on the attribute if it gets no value.
    ///
    /// - Parameter found: the object; nil if it is still to be created.
    fileprivate func empty(clears: Bool, _ found: ManagedObject?) -> Empty {
        if description.isOptional && clears { return .value(.null) }
        guard let value = description.defaultValue else {
            return description.isOptional ? .value(.null) : .refused
        }
        let isConstant = hasConstantDefault
        if isIdentity && isConstant { return .refused }
        // A default such as the current date or a new UUID would differ each time the same
        // row is imported.
        if let found, !isConstant, !found.isNil(at: slot) { return .asItIs }
        return .value(value)
    }
}

/// The precomputed selection of values, for the usual rows in which every value converts.
struct AttributeAssignment {
    /// The attributes that a new object needs.
    private let needed: UInt64
    /// The attributes that a null clears.
    private let cleared: UInt64
    /// True if an existing object takes all values and keeps its properties that the row lacks.
    private let takesAll: Bool
    /// True if the entity has no more slots than the bit sets.
    private let isWhole: Bool

    init(
        _ imported: [ImportMapping.Attribute] = [], needed: [ImportMapping.Attribute] = [],
        slots: Int = 0
    ) {
        isWhole = slots <= 64
        self.needed = Self.bits(needed)
        cleared = Self.bits(
            imported.filter { $0.description.isOptional && $0.rules.null == .clear })
        takesAll = imported.allSatisfy { $0.rules.value == .set && $0.rules.absent == .leave }
    }

    private static func bits(_ attributes: [ImportMapping.Attribute]) -> UInt64 {
        attributes.reduce(0) { $1.slot < 64 ? $0 | 1 << UInt64($1.slot) : $0 }
    }

    /// Returns the slots that the object takes; nil if each slot needs its own decision.
    @inline(__always)
    func slots(of row: StagedRow, isNew: Bool) -> SlotSet? {
        let sum = row.sum
        guard isWhole, sum.isFit, isNew || takesAll, sum.nulls & ~cleared == 0 else { return nil }
        let slots = sum.values | sum.nulls
        guard !isNew || needed & ~slots == 0 else { return nil }
        var nulls = sum.nulls
        while nulls != 0 {
            row.cells[nulls.trailingZeroBitCount] = .null
            nulls &= nulls - 1
        }
        return SlotSet(low: slots)
    }
}
