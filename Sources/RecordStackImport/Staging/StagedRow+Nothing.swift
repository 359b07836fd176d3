import RecordStackModel

extension StagedRow {
    /// Whether nothing was found of what the entity is looked for under: the row is of something else.
    @inline(__always)
    var hasNothing: Bool {
        let sum = sum
        return sum.values | sum.nulls == 0 && sum.isFit && hasNothingElse
    }

    /// The same, slowly.
    private var hasNothingElse: Bool {
        if mapping.root.isLeaf { return false }
        for slot in 0..<rows.width where !isAbsent(slot) { return false }
        for relationIndex in mapping.relations.indices {
            guard case .absent = related(relationIndex) else { return false }
        }
        return true
    }

    /// Refuses the row, with its keys.
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

    /// Suggests `at:` if the object is an envelope: it has one array of objects.
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
