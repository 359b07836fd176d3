import RecordStackModel

extension StagedRow {
    /// Takes a value of a source for an attribute, where it is wanted most by now.
    func take(_ value: ImportValue, _ attribute: ImportMapping.Attribute, _ priority: Int) {
        let slot = attribute.slot
        let (mark, rule) = (self[slot], attribute.rules.fallback)
        guard mark.yields(to: priority, isNull: value.isNull, rule) else { return }
        let taken: ImportValue
        do {
            taken = try attribute.apply(attribute.transforms, to: value)
        } catch {
            let found = "\(value.excerpt) (\("\(error)".cut(to: 200)))"
            return setUnfit(slot, UnfitValue(found: found), priority: priority)
        }
        if taken.isNull {
            // A transform may have made it one.
            guard mark.yields(to: priority, isNull: true, rule) else { return }
            set(slot, StagedMark(.null, priority: priority))
        } else if let stored = attribute.convert(taken) {
            set(slot, rows.cell(stored), priority: priority)
        } else {
            // What a message shows is what stands in the source.
            let unfit = UnfitValue(found: value.excerpt, reason: attribute.unfit(taken).reason)
            setUnfit(slot, unfit, priority: priority)
        }
    }

    /// Keeps the row for hooks, and takes the identity that one computes.
    func see(_ value: ImportValue) throws {
        edit { $0.source = value }
        guard let compute = mapping.hooks.identity,
            let computed = try compute(ImportRow(number: number, path: "", value: value))
        else { return }
        guard let attribute = mapping.identity else {
            throw RecordStackError(
                .misuse,
                "importIdentity(of:) of \(mapping.entity.name) answers a value, but no attribute alone is the "
                    + "entity's identity. Mark one .unique, or name it with @Entity(identity:).",
                entity: mapping.entity.name)
        }
        set(attribute.slot, .absent)
        take(computed, attribute, 0)
    }
}

extension ImportValue {
    /// The value as a message shows it, cut where it is long.
    var excerpt: String {
        switch self {
        case .string(let text): text.excerpt
        case .array: "an array"
        case .object: "an object"
        case .null, .bool, .number, .date, .data: description.cut(to: 60)
        }
    }

    /// The text of a value that stands alone, for looking it up among names.
    var plainText: String { string ?? description }
}
