/// The differences between two dumps, by object and property.
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
/// Objects of two dumps of one store are the same if their IDs are equal. Objects of dumps of two
/// stores are the same if their names are equal.
public struct DumpDifference: Sendable, Hashable {
    /// A change to an object.
    public enum Change: Sendable, Hashable {
        /// The new dump has an object that the old dump lacks, with the lines of its properties.
        case added(object: String, properties: [String])
        /// The old dump has an object that the new dump lacks.
        case removed(object: String)
        /// An object has other values. The name is the one in the old dump.
        case changed(object: String, properties: [PropertyChange])
    }

    /// A change to a property.
    public struct PropertyChange: Sendable, Hashable {
        /// The property's name.
        public let name: String
        /// The old value, or the members that left a to-many relationship, one line each.
        public let old: [String]
        /// The new value, or the members that joined a to-many relationship, one line each.
        public let new: [String]
        /// Whether the property is a to-many relationship.
        public let isToMany: Bool
        /// Whether members that are in both dumps have changed their order.
        public let isReordered: Bool
    }

    /// The changes, in the order of the dumps.
    public let changes: [Change]

    /// Whether the dumps are the same.
    public var isEmpty: Bool { changes.isEmpty }
}

extension DumpDifference: CustomStringConvertible {
    /// One line for each changed object and one for each of its properties, or `no difference`.
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
