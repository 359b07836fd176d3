/// A set of slots, for the attributes and to-one relationships that a change affects.
///
/// The first 64 slots are the bits of one integer. Only entities with more slots need an array.
public struct SlotSet: Sendable, Hashable {
    @usableFromInline var low: UInt64
    @usableFromInline var high: [UInt64]

    /// Creates an empty set.
    @inlinable
    package init() {
        low = 0
        high = []
    }

    package init(low: UInt64, high: [UInt64] = []) {
        self.low = low
        self.high = high
    }

    package init(single slot: Int) {
        self.init()
        insert(slot)
    }

    /// Creates the set of the slots `0..<count`.
    package init(all count: Int) {
        self.init()
        for slot in 0..<count { insert(slot) }
    }

    /// Returns true if the set contains the slot.
    @inlinable
    public func contains(_ slot: Int) -> Bool {
        slot < 64 ? low & (1 << UInt64(truncatingIfNeeded: slot)) != 0 : containsHigh(slot)
    }

    @usableFromInline
    func containsHigh(_ slot: Int) -> Bool {
        let word = slot / 64 - 1
        return word < high.count && high[word] & (1 << UInt64(slot % 64)) != 0
    }

    package mutating func insert(_ slot: Int) {
        if slot < 64 {
            low |= 1 << UInt64(slot)
        } else {
            let word = slot / 64 - 1
            while high.count <= word { high.append(0) }
            high[word] |= 1 << UInt64(slot % 64)
        }
    }

    package mutating func remove(_ slot: Int) {
        if slot < 64 {
            low &= ~(1 << UInt64(slot))
        } else if containsHigh(slot) {
            high[slot / 64 - 1] &= ~(1 << UInt64(slot % 64))
        }
    }

    package var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

    package mutating func formUnion(_ other: SlotSet) {
        low |= other.low
        while high.count < other.high.count { high.append(0) }
        for (word, bits) in other.high.enumerated() { high[word] |= bits }
    }

    /// Returns the slots that another set does not contain.
    package func subtracting(_ other: SlotSet) -> SlotSet {
        var result = self
        other.forEach { result.remove($0) }
        return result
    }

    package func intersection(_ other: SlotSet) -> SlotSet {
        SlotSet(low: low & other.low, high: zip(high, other.high).map { $0 & $1 })
    }

    package var count: Int {
        high.reduce(low.nonzeroBitCount) { $0 + $1.nonzeroBitCount }
    }

    /// Calls `body` for each slot, lowest first.
    package func forEach(_ body: (Int) throws -> Void) rethrows {
        try Self.forEach(in: low, offset: 0, body)
        for (word, bits) in high.enumerated() {
            try Self.forEach(in: bits, offset: (word + 1) * 64, body)
        }
    }

    private static func forEach(
        in word: UInt64, offset: Int, _ body: (Int) throws -> Void
    ) rethrows {
        var rest = word
        while rest != 0 {
            try body(offset + rest.trailingZeroBitCount)
            rest &= rest - 1
        }
    }

    package var slots: [Int] {
        var result: [Int] = []
        forEach { result.append($0) }
        return result
    }

    /// Returns true if both sets contain the same slots, even if their storage differs in length.
    public static func == (lhs: SlotSet, rhs: SlotSet) -> Bool {
        lhs.low == rhs.low
            && (lhs.high.isEmpty && rhs.high.isEmpty || lhs.highWords == rhs.highWords)
    }

    /// Hashes the slots.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(low)
        for word in highWords { hasher.combine(word) }
    }

    /// The words in `high` without the empty ones at the end.
    private var highWords: ArraySlice<UInt64> {
        var end = high.count
        while end > 0 && high[end - 1] == 0 { end -= 1 }
        return high[..<end]
    }
}

extension SlotSet {
    /// The slots below 64 as bits.
    package var lowBits: UInt64 { low }

    /// The slots from 64 on as bits, 64 slots in a word.
    package var highBits: [UInt64] { high }

    package var hasHighSlots: Bool { high.contains { $0 != 0 } }
}
