import RecordStackModel

extension StagedRow {
    /// True if the row has no key of the entity, and so is not a row of it.
    @inline(__always)
    var hasNothing: Bool {
        let sum = sum
        return sum.values | sum.nulls == 0 && sum.isFit && hasNothingElse
    }

    /// Whether no slot and no relationship has a value, checked one by one.
    private var hasNothingElse: Bool {
        if mapping.root.isLeaf { return false }
        for slot in 0..<rows.width where !isAbsent(slot) { return false }
        for relationIndex in mapping.relations.indices {
            guard case .absent = related(relationIndex) else { return false }
        }
        return true
    }

    /// Refuses the row, with a message that lists its keys.
    func refuseNothing(among members: some Collection<(key: String, value: ImportValue)>) {
        let keys = FoundKeys(members.lazy.map(\.key))
        let found = mapping.imported.filter(\.isFound).flatMap(\.keys)
        let wanted = FoundKeys(found + mapping.relations.flatMap(\.keys)).text
        let name = mapping.entity.name
        let refusal =
            keys.isEmpty
            ? "The object is empty, without any of the keys of \(Wording.article(name)): \(wanted)."
            : "The object has \(keys.text), and none of the keys of \(Wording.article(name)): \(wanted)."
                + Self.hint(members)
        edit { $0.refusal = refusal }
    }

    /// Suggests `at:` if the object is an envelope with a single array of objects.
    private static func hint(
        _ members: some Collection<(key: String, value: ImportValue)>
    ) -> String {
        let arrays = members.filter { member in
            guard case .array(let elements) = member.value, case .object? = elements.first else {
                return false
            }
            return true
        }
        guard let key = arrays.first?.key, arrays.count == 1 else { return "" }
        return " If the rows are the elements of \(key), import with at: \"\(key)\"."
    }
}
