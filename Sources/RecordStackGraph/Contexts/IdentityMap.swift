import RecordStackModel

/// A context's objects of one hierarchy by key: one object for a row, however often it is met.
///
/// The map holds its objects strongly, so that an object whose last other reference is dropped, on
/// whatever thread, is still there to be found. ``sweep()`` lets go of those that nobody else
/// holds. Looking at a reference count is safe while others release: the count that says "only
/// the map" cannot grow again, because only the map could hand the object out.
///
/// Open addressing with linear probing; blocks of keys are spread by Fibonacci hashing, because
/// neighbouring and evenly spaced keys are the rule.
struct IdentityMap: ~Copyable {
    private struct Slot {
        /// 0 for a slot that was never used, −1 for one that was given up.
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
    /// The map is swept when there are as many objects besides those that are known to be held.
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

    /// Eight neighbouring keys share a block of slots, so that walking a table in the order of its
    /// keys walks the map's memory in pieces that the processor fetches ahead.
    private func home(of key: Int64) -> Int {
        let block = UInt64(bitPattern: key) >> 3 &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: (block &>> shift) &<< 3 | UInt64(bitPattern: key) & 7)
    }

    /// The object of a key, not retained.
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

    /// Keeps an object, which the map does not have yet. The reference is taken over.
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

    /// Resizes the table to fit its objects.
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

    /// Gives an object up, and the reference to it to the caller.
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
        // A context that holds one object at a time gets here for each object.
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

    /// Objects near a key in the map that satisfy a condition. Looks at no more slots than could be worth it.
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

    /// All objects, retained.
    func objects() -> [ManagedObject] {
        var result: [ManagedObject] = []
        result.reserveCapacity(count)
        forEach { result.append($0.takeUnretainedValue()) }
        return result
    }
}

extension IdentityMap {
    /// Whether so many objects came since the last sweep that another one is paid for.
    /// - Parameter held: how many objects are known to be held by others.
    func wantsSweep(held: Int) -> Bool { count - held >= sweepCount }

    /// Lets go of the objects that nobody else holds and that have no changes.
    /// - Parameter held: how many objects are known to be held by others.
    /// - Returns: references to them. They are released by the caller, when the map is whole
    ///   again: an object's `deinit` may be a program's own code.
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
        // Otherwise every later sweep would visit the slots of objects that are gone.
        if capacity > Self.smallest && count * 8 < capacity { rehash() }
        // As many more as the next sweep will look at for nothing.
        sweepCount = max(1_024, max(0, count - held) + count)
        return dropped
    }

    /// Whether somebody else holds the object of a key.
    func isHeldElsewhere(_ key: Int64) -> Bool { find(key).map { !Self.isUnique($0) } ?? false }

    private func isDroppable(_ object: Unmanaged<ManagedObject>) -> Bool {
        object._withUnsafeGuaranteedRef { $0.bits & ObjectFlags.differs == 0 }
            && Self.isUnique(object)
    }

    private static func isUnique(_ object: Unmanaged<ManagedObject>) -> Bool {
        // The reference in the slot stands for one count; it is looked at in a variable of its own
        // without being retained, and handed back the same.
        var reference = object
        return withUnsafeMutablePointer(to: &reference) {
            $0.withMemoryRebound(to: ManagedObject.self, capacity: 1) {
                isKnownUniquelyReferenced(&$0.pointee)
            }
        }
    }
}
