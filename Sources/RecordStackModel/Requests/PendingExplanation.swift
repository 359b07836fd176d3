/// How a context adds its unsaved changes to a request.
///
/// ```swift
/// for name in names { try Person.create(in: context, email: name) }
/// if let pending = try context.explain(Person.where { $0.age >= 18 }).pending {
///     print(pending)  // 3 unsaved: by a memo, 3 evaluated; their rows are declined
/// }
/// ```
public struct PendingExplanation: Sendable, Hashable {
    /// How a context finds the unsaved objects that match.
    public enum Matching: Sendable, Hashable {
        /// By an index of the unsaved objects, for an attribute or a relationship.
        ///
        /// If the filter has more conditions, they are
        /// evaluated for the objects that the index finds.
        case index(String)
        /// By the kept result of the same filter.
        ///
        /// The first use evaluates the filter for every unsaved
        /// object, or for those that an index finds.
        case memo
        /// By evaluating the filter for every unsaved object.
        case evaluation
    }

    /// How the store's results exclude the rows of unsaved objects.
    public enum Omission: Sendable, Hashable {
        /// SQLite calls `RECORDSTACK_KEPT` for each row.
        case function
        /// All rows are counted, and the rows of unsaved objects are subtracted.
        ///
        /// The context knows the number of these rows, or SQLite counts them by key.
        case subtraction
        /// SQLite returns the rows, and the context declines them without creating objects.
        case declining
    }

    /// The number of unsaved objects of the entity's hierarchy, including deleted objects.
    public package(set) var objects: Int
    /// How the unsaved objects that match are found; nil if there are no unsaved objects.
    public package(set) var matching: Matching?
    /// The number of objects for which the filter was evaluated.
    public package(set) var evaluated = 0
    /// The number of rows that were loaded and evaluated.
    ///
    /// These rows refer to unsaved objects in a way that SQL cannot follow.
    public package(set) var loaded = 0
    /// How the rows of unsaved objects are excluded; nil if there are no such rows.
    public package(set) var omission: Omission?
    /// The SQL of further requests, for rows that match because of an unsaved related object.
    public package(set) var furtherSQL: [String] = []

    package init(objects: Int) {
        self.objects = objects
    }
}

extension PendingExplanation: CustomStringConvertible {
    /// One line about the unsaved objects, and one line for each further request.
    public var description: String {
        var parts: [String] = []
        if let matching {
            parts.append("\(objects) unsaved: \(matching.text), \(evaluated) evaluated")
        }
        if loaded > 0 { parts.append("\(loaded) loaded and evaluated") }
        if let omission { parts.append("their rows are \(omission.text)") }
        let line = parts.isEmpty ? [] : [parts.joined(separator: "; ")]
        return (line + furtherSQL.map { "also \($0)" }).joined(separator: "\n")
    }
}

extension PendingExplanation.Matching {
    fileprivate var text: String {
        switch self {
        case .index(let name): "by the index of \(name)"
        case .memo: "by a memo"
        case .evaluation: "one by one"
        }
    }
}

extension PendingExplanation.Omission {
    fileprivate var text: String {
        switch self {
        case .function: "left out by RECORDSTACK_KEPT"
        case .subtraction: "counted and subtracted"
        case .declining: "declined"
        }
    }
}
