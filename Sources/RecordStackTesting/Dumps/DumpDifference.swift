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
/// In two dumps of the same store, objects with equal IDs are the same object. In dumps of
/// different stores, objects with equal names are the same object.
public struct DumpDifference: Sendable, Hashable {
    /// A change to an object.
    public enum Change: Sendable, Hashable {
        /// An object that only the new dump has, with the lines of its properties.
        case added(object: String, properties: [String])
        /// An object that only the old dump has.
        case removed(object: String)
        /// An object whose values have changed, with its name in the old dump.
        case changed(object: String, properties: [PropertyChange])
    }

    /// A change to a property.
    public struct PropertyChange: Sendable, Hashable {
        /// The property's name.
        public let name: String
        /// The old value, or the members that left a to-many relationship, one on each line.
        public let old: [String]
        /// The new value, or the members that joined a to-many relationship, one on each line.
        public let new: [String]
        /// Whether the property is a to-many relationship.
        public let isToMany: Bool
        /// Whether the members that both dumps contain have changed their order.
        public let isReordered: Bool
    }

    /// The changes, in the order of the dumps.
    public let changes: [Change]

    /// Whether the dumps are the same.
    public var isEmpty: Bool { changes.isEmpty }
}

extension DumpDifference: CustomStringConvertible {
    /// The differences as text, or `no difference`.
    ///
    /// Each object that differs has one line, followed by lines for its properties.
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
