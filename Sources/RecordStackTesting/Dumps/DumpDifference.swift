/// What differs between two dumps, by object and property.
///
/// ```swift
/// let before = try test.dump()
/// try Person.findFirst(by: \.email, "ann@example.org", in: context)?.age = 42
/// try await context.save()
/// let difference = try test.dump().difference(from: before)
/// print(difference)
/// ```
///
/// ```text
/// ~ Person "ann@example.org"
///     age: 41 → 42
/// - Person "bob@example.org"
/// + Team "B"
///     title: "B"
///     members: 0
/// ```
///
/// In dumps of one store, an object is the same where its ID is; in dumps of two stores, where its
/// name is.
public struct DumpDifference: Sendable, Hashable {
    /// What became of an object.
    public enum Change: Sendable, Hashable {
        /// There is an object that was not there before, with the lines of its properties.
        case added(object: String, properties: [String])
        /// An object is gone.
        case removed(object: String)
        /// An object has other values. It is called as it was before.
        case changed(object: String, properties: [PropertyChange])
    }

    /// What became of a property.
    public struct PropertyChange: Sendable, Hashable {
        /// The property's name.
        public let name: String
        /// What it was, a line for each value: one, or the members of a to-many relationship that
        /// are gone.
        public let old: [String]
        /// What it is, a line for each value: one, or the members of a to-many relationship that are
        /// new.
        public let new: [String]
        /// Whether the property is a to-many relationship.
        public let isToMany: Bool
        /// Whether members that were there and are there stand in another order.
        public let isReordered: Bool
    }

    /// The changes, in the order of the dumps.
    public let changes: [Change]

    /// Whether the dumps are the same.
    public var isEmpty: Bool { changes.isEmpty }
}

extension DumpDifference: CustomStringConvertible {
    /// A line for each object that differs, and one for each of its properties; `no difference`
    /// where there is none.
    public var description: String {
        changes.isEmpty
            ? "no difference" : changes.flatMap(\.lines).joined(separator: "\n")
    }
}

extension DumpDifference.Change {
    fileprivate var lines: [String] {
        switch self {
        case .added(let object, let properties): ["+ \(object)"] + properties.map { "  \($0)" }
        case .removed(let object): ["- \(object)"]
        case .changed(let object, let properties): ["~ \(object)"] + properties.flatMap(\.lines)
        }
    }
}

extension DumpDifference.PropertyChange {
    fileprivate var lines: [String] {
        if !isToMany {
            return ["    \(name): \(old.joined()) → \(new.joined())"]
        }
        return ["    \(name):"] + old.map { "      - \($0)" } + new.map { "      + \($0)" }
            + (isReordered ? ["      ~ in another order"] : [])
    }
}
