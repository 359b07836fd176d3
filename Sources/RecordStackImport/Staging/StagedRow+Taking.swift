import RecordStackModel

extension StagedRow {
    /// Sets the value of an attribute, unless a more preferred key has set it.
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
            // A transform may have returned null.
            guard mark.yields(to: priority, isNull: true, rule) else { return }
            set(slot, StagedMark(.null, priority: priority))
        } else if let stored = attribute.convert(taken) {
            set(slot, rows.cell(stored), priority: priority)
        } else {
            // The message shows the value of the source, before the transforms.
            let unfit = UnfitValue(found: value.excerpt, reason: attribute.unfit(taken).reason)
            setUnfit(slot, unfit, priority: priority)
        }
    }

    /// Keeps the row for hooks, and sets the identity that a hook computes.
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
    /// The value for a message, cut if it is long.
    var excerpt: String {
        switch self {
        case .string(let text): text.excerpt
        case .array: "an array"
        case .object: "an object"
        case .null, .bool, .number, .date, .data: description.cut(to: 60)
        }
    }

    /// The text of a single value, for looking it up among names.
    var plainText: String { string ?? description }
}
