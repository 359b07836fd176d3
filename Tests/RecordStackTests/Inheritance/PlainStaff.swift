/// The staff as dictionaries by key: what contexts must show after any steps.
struct PlainStaff {
    enum Kind: Int, CaseIterable {
        case clerk, manager, driver

        var fields: [Field] {
            switch self {
            case .clerk: Field.inherited + [.desk]
            case .manager: Field.inherited + [.desk, .level]
            case .driver: Field.inherited + [.licence]
            }
        }
    }

    /// The fields of an employee. Every value is a number, and a text holds a number.
    enum Field: Int, CaseIterable {
        case badge, name, grade, boss, desk, level, licence

        static let inherited: [Field] = [.badge, .name, .grade, .boss]
    }

    struct Row: Equatable {
        let kind: Kind
        /// The values that are not nil.
        var values: [Field: Int] = [:]
    }

    /// The changes of one context.
    struct Level {
        var inserted: [Int: Row] = [:]
        var changed: [Int: [Field: Int?]] = [:]
        var deleted: Set<Int> = []

        var isEmpty: Bool { inserted.isEmpty && changed.isEmpty && deleted.isEmpty }

        /// Whether the level has a change of an object.
        func touches(_ key: Int) -> Bool {
            inserted[key] != nil || changed[key] != nil || deleted.contains(key)
        }

        func view(over base: [Int: Row]) -> [Int: Row] {
            var rows = base.filter { !deleted.contains($0.key) }
            rows.merge(inserted) { $1 }
            for (key, values) in changed { rows[key]?.set(values) }
            return rows
        }

        mutating func set(_ values: [Field: Int?], of key: Int) {
            if inserted[key] != nil {
                inserted[key]?.set(values)
            } else {
                changed[key, default: [:]].merge(values) { $1 }
            }
        }

        mutating func delete(_ key: Int) {
            changed[key] = nil
            if inserted.removeValue(forKey: key) == nil { deleted.insert(key) }
        }

        /// Adds the changes that a child has pushed.
        mutating func accept(_ other: Level) {
            inserted.merge(other.inserted) { $1 }
            for (key, values) in other.changed { set(values, of: key) }
            for key in other.deleted { delete(key) }
        }
    }

    /// The contexts: `child` is a child of `main`, and `other` is separate from both.
    enum Place: Int, CaseIterable {
        case main, child, other

        var parent: Place? { self == .child ? .main : nil }
        var chain: [Place] { self == .child ? [.child, .main] : [self] }
    }

    private(set) var stored: [Int: Row] = [:]
    private var levels = [Level](repeating: Level(), count: Place.allCases.count)

    subscript(place: Place) -> Level {
        get { levels[place.rawValue] }
        set { levels[place.rawValue] = newValue }
    }

    func view(of place: Place) -> [Int: Row] {
        self[place].view(over: place.parent.map { view(of: $0) } ?? stored)
    }

    /// Whether an object has no change in another context that this context does not show.
    func canChange(_ key: Int, in place: Place) -> Bool {
        Place.allCases.allSatisfy { place.chain.contains($0) || !self[$0].touches(key) }
    }

    /// Whether other contexts show the object, or will show it, and do not delete it.
    func canRefer(to key: Int, in place: Place) -> Bool {
        Place.allCases.allSatisfy { !self[$0].deleted.contains(key) }
            && view(of: place)[key] != nil
    }

    func reports(of key: Int, in place: Place) -> Set<Int> {
        Set(view(of: place).filter { $0.value.values[.boss] == key }.keys)
    }

    /// Whether objects can be deleted in a context: every context shows the same objects that refer
    /// to them, and all these objects can be changed.
    func canDelete(_ keys: Set<Int>, in place: Place) -> Bool {
        keys.allSatisfy { key in
            let reports = reports(of: key, in: place)
            return canChange(key, in: place)
                && reports.allSatisfy { canChange($0, in: place) }
                && Place.allCases.allSatisfy {
                    self.reports(of: key, in: $0).isSubset(of: reports) || place.chain.contains($0)
                }
        }
    }

    mutating func delete(_ keys: Set<Int>, in place: Place) {
        for key in keys {
            for report in reports(of: key, in: place) where !keys.contains(report) {
                self[place].set([.boss: nil], of: report)
            }
        }
        for key in keys { self[place].delete(key) }
    }

    mutating func push() {
        self[.main].accept(self[.child])
        self[.child] = Level()
    }

    mutating func save(_ place: Place) {
        stored = view(of: place)
        for level in place.chain { self[level] = Level() }
    }

    mutating func rollBack(_ place: Place) { self[place] = Level() }
}

extension PlainStaff.Row {
    mutating func set(_ values: [PlainStaff.Field: Int?]) {
        for (field, value) in values { self.values[field] = value }
    }
}
