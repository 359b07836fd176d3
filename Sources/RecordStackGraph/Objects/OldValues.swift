import RecordStackModel

/// The values that slots had before they were changed, one for each slot.
///
/// Most objects are changed in one property at a time. So the first value is stored inline, and
/// only further values allocate memory.
struct OldValues {
    struct Entry {
        let slot: Int
        var value: StoredValue
    }

    private var first: Entry?
    /// The values after the first one; empty if there is no first one.
    private var rest: [Entry] = []

    var isEmpty: Bool { first == nil }

    /// Returns the kept value of a slot, or nil.
    subscript(slot: Int) -> StoredValue? {
        guard let first else { return nil }
        return first.slot == slot ? first.value : rest.first { $0.slot == slot }?.value
    }

    /// Keeps the value of a slot that has none yet.
    mutating func append(_ value: StoredValue, of slot: Int) {
        if first == nil {
            first = Entry(slot: slot, value: value)
        } else {
            rest.append(Entry(slot: slot, value: value))
        }
    }

    /// Replaces the value of a slot, or adds it.
    mutating func set(_ value: StoredValue, of slot: Int) {
        if first?.slot == slot {
            first?.value = value
        } else if let index = rest.firstIndex(where: { $0.slot == slot }) {
            rest[index].value = value
        } else {
            append(value, of: slot)
        }
    }

    mutating func remove(_ slot: Int) {
        if first?.slot == slot {
            first = rest.isEmpty ? nil : rest.removeFirst()
        } else if !rest.isEmpty {
            rest.removeAll { $0.slot == slot }
        }
    }

    mutating func removeAll() {
        first = nil
        if !rest.isEmpty { rest = [] }
    }

    /// Calls a body with each value, in the order in which they were added.
    func forEach(_ body: (Entry) throws -> Void) rethrows {
        guard let first else { return }
        try body(first)
        for entry in rest { try body(entry) }
    }
}
