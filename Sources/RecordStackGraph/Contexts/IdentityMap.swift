import RecordStackModel

/// The objects of one hierarchy in a context, by key: one object for each row.
///
/// The map holds its objects strongly. So an object is still found after its last other reference
/// was dropped, on whatever thread. ``sweep(held:)`` releases the objects that only the map
/// references. Checking a reference count is safe while other threads release: a count of one
/// cannot grow again, because only the map could hand the object out.
///
/// The map uses open addressing with linear probing. Blocks of keys are spread by Fibonacci
/// hashing, because neighboring and evenly spaced keys are the common case.
struct IdentityMap: ~Copyable {
    private struct Slot {
        /// 0 for a slot that was never used, −1 for a vacated slot.
        var key: Int64
        var object: Unmanaged<ManagedObject>?
    }

    private var slots: UnsafeMutablePointer<Slot>
    private var capacity: Int
    private var shift: UInt64
    private(set) var count = 0
    private var used = 0
    /// The number of slots that a sweep visits.
    var slotCount: Int { count == 0 ? 0 : capacity }
    /// The map is swept again at this number of objects that are not known to be held elsewhere.
    private var sweepCount = 1_024

    private static let smallest = 16
    private static let largestEmptied = 256

    init() {
        capacity = 0
        shift = 63
        slots = Self.allocate(0)
    }

    deinit {
        forEach { $0.release() }
        slots.deallocate()
    }

    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Slot> {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: max(capacity, 1))
        slots.initialize(repeating: Slot(key: 0, object: nil), count: capacity)
        return slots
    }

    /// Returns the slot index at which the search for a key starts.
    ///
    /// Eight neighboring keys share a block of slots. Walking a table in key order therefore reads
    /// the map's memory in blocks that the processor prefetches.
    private func home(of key: Int64) -> Int {
        let block = UInt64(bitPattern: key) >> 3 &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: (block &>> shift) &<< 3 | UInt64(bitPattern: key) & 7)
    }

    /// Returns the object with a key without retaining it.
    func find(_ key: Int64) -> Unmanaged<ManagedObject>? {
        if count == 0 { return nil }
        var index = home(of: key)
        while true {
            let slot = slots[index]
            if slot.key == key { return slot.object }
            if slot.key == 0 { return nil }
            index = (index &+ 1) & (capacity &- 1)
        }
    }

    /// Adds an object that the map does not contain, and takes over the caller's reference.
    mutating func insert(_ object: Unmanaged<ManagedObject>, key: Int64) {
        if (used + 1) * 4 > capacity * 3 { rehash() }
        put(object, key: key)
        count += 1
    }

    private mutating func put(_ object: Unmanaged<ManagedObject>, key: Int64) {
        var index = home(of: key)
        while slots[index].key > 0 { index = (index + 1) & (capacity - 1) }
        if slots[index].key == 0 { used += 1 }
        slots[index] = Slot(key: key, object: object)
    }

    /// Resizes the map to fit its objects.
    private mutating func rehash() {
        let wanted = max(Self.smallest, (count + 1) * 2)
        var enough = Self.smallest
        while enough < wanted { enough *= 2 }
        let old = slots
        let oldCapacity = capacity
        slots = Self.allocate(enough)
        capacity = enough
        shift = UInt64(64 + 3 - enough.trailingZeroBitCount)
        used = 0
        for index in 0..<oldCapacity {
            if let object = old[index].object { put(object, key: old[index].key) }
        }
        old.deallocate()
    }

    /// Removes an object and hands the map's reference to the caller.
    mutating func remove(_ key: Int64) -> Unmanaged<ManagedObject>? {
        if count == 0 { return nil }
        var index = home(of: key)
        while slots[index].key != 0 {
            if slots[index].key == key {
                defer { vacate(index) }
                return slots[index].object
            }
            index = (index + 1) & (capacity - 1)
        }
        return nil
    }

    private mutating func vacate(_ index: Int) {
        let next = (index + 1) & (capacity - 1)
        let isLast = slots[next].key == 0
        slots[index] = Slot(key: isLast ? 0 : -1, object: nil)
        if isLast { used -= 1 }
        count -= 1
        if count > 0 { return }
        // A context that holds one object at a time reaches this line for each object.
        if capacity > Self.largestEmptied { return rehash() }
        slots.update(repeating: Slot(key: 0, object: nil), count: capacity)
        used = 0
    }

    func forEach(_ body: (Unmanaged<ManagedObject>) throws -> Void) rethrows {
        if count == 0 { return }
        for index in 0..<capacity {
            if let object = slots[index].object { try body(object) }
        }
    }

    /// Returns objects near a key in the map that satisfy a condition.
    ///
    /// Visits at most four slots for each wanted object, and 64 more.
    func neighbours(
        of key: Int64, limit: Int, where isWanted: (ManagedObject) -> Bool
    ) -> [ManagedObject] {
        var found: [ManagedObject] = []
        if count == 0 { return found }
        let slotLimit = min(capacity, limit * 4 + 64)
        var index = home(of: key)
        for _ in 0..<slotLimit {
            index = (index &+ 1) & (capacity &- 1)
            guard let object = slots[index].object?.takeUnretainedValue(), isWanted(object) else {
                continue
            }
            found.append(object)
            if found.count == limit { break }
        }
        return found
    }

    /// Returns all objects, retained.
    func objects() -> [ManagedObject] {
        var result: [ManagedObject] = []
        result.reserveCapacity(count)
        forEach { result.append($0.takeUnretainedValue()) }
        return result
    }
}

extension IdentityMap {
    /// Whether enough objects were added since the last sweep to pay for another one.
    ///
    /// - Parameter held: The number of objects that are known to be held elsewhere.
    func wantsSweep(held: Int) -> Bool { count - held >= sweepCount }

    /// Removes the clean objects that only the map references.
    ///
    /// - Parameter held: The number of objects that are known to be held elsewhere.
    /// - Returns: The map's references to the removed objects. The caller releases them after the
    ///   call, when the map is consistent again, because an object's `deinit` may run a program's
    ///   code.
    mutating func sweep(held: Int) -> [Unmanaged<ManagedObject>] {
        var dropped: [Unmanaged<ManagedObject>] = []
        if count > 0 {
            for index in 0..<capacity {
                guard let object = slots[index].object, isDroppable(object) else { continue }
                dropped.append(object)
                vacate(index)
                if count == 0 { break }
            }
        }
        // Otherwise every later sweep would visit the slots of removed objects.
        if capacity > Self.smallest && count * 8 < capacity { rehash() }
        // Wait for as many new objects as the next sweep will visit in vain.
        sweepCount = max(1_024, max(0, count - held) + count)
        return dropped
    }

    /// Whether anything except the map references the object with a key.
    func isHeldElsewhere(_ key: Int64) -> Bool { find(key).map { !Self.isUnique($0) } ?? false }

    private func isDroppable(_ object: Unmanaged<ManagedObject>) -> Bool {
        object._withUnsafeGuaranteedRef { $0.bits & ObjectFlags.differs == 0 }
            && Self.isUnique(object)
    }

    private static func isUnique(_ object: Unmanaged<ManagedObject>) -> Bool {
        // The slot's reference accounts for one count. The check looks at it in a local variable,
        // without retaining the object, and leaves the count as it was.
        var reference = object
        return withUnsafeMutablePointer(to: &reference) {
            $0.withMemoryRebound(to: ManagedObject.self, capacity: 1) {
                isKnownUniquelyReferenced(&$0.pointee)
            }
        }
    }
}
