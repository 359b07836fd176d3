extension EntityChanges {
    /// The updates of an entity, in order.
    ///
    /// A save of many rows has as many updates, and each context that merges it iterates over
    /// them. The elements therefore contain no reference, so that iterating changes no reference
    /// counts and freeing the list costs nothing. Slots from 64 on, which few entities have, are
    /// kept in a separate array.
    package struct UpdateList: Sendable, RandomAccessCollection, ExpressibleByArrayLiteral {
        /// An update without its slots from 64 on.
        private struct Plain {
            let key: Int64
            let version: RowVersion
            let low: UInt64
        }

        private var plain: ContiguousArray<Plain> = []
        /// The words of the slots from 64 on; empty until an update has any.
        private var high: [[UInt64]] = []

        package init(arrayLiteral elements: Update...) {
            for element in elements { append(element) }
        }

        package var startIndex: Int { 0 }
        package var endIndex: Int { plain.count }

        package subscript(row: Int) -> Update {
            let update = plain[row]
            return Update(
                key: update.key, version: update.version,
                slots: SlotSet(low: update.low, high: high.isEmpty ? [] : high[row]))
        }

        /// Returns the key of an update without building the update.
        package func key(at row: Int) -> Int64 { plain[row].key }

        package mutating func append(_ update: Update) {
            let hasHigh = update.slots.hasHighSlots
            if hasHigh && high.isEmpty { high = Array(repeating: [], count: plain.count) }
            if hasHigh || !high.isEmpty { high.append(update.slots.highBits) }
            plain.append(
                Plain(key: update.key, version: update.version, low: update.slots.lowBits))
        }
    }
}
