/// The steps by which a context adds its unsaved changes to a request's results.
///
/// ```swift
/// for name in names { try Person.create(in: context, email: name) }
/// if let pending = try context.explain(Person.where { $0.age >= 18 }).pending {
///     print(pending)  // 3 unsaved: by a memo, 3 evaluated; their rows are declined
/// }
/// ```
public struct PendingExplanation: Sendable, Hashable {
    /// The method by which a context finds the matching unsaved objects.
    public enum Matching: Sendable, Hashable {
        /// Uses an index of the unsaved objects, for an attribute or a relationship.
        ///
        /// If the filter has more conditions, the context evaluates these for the objects that the
        /// index finds.
        case index(String)
        /// Uses the result that the context has kept from a request with the same filter.
        ///
        /// The first request with a filter evaluates the filter for every unsaved object, or only
        /// for the objects that an index finds.
        case memo
        /// Evaluates the filter for every unsaved object.
        case evaluation
    }

    /// The method by which the rows of unsaved objects are left out of the store's results.
    public enum Omission: Sendable, Hashable {
        /// SQLite filters the rows with the function `RECORDSTACK_KEPT`.
        case function
        /// The context subtracts the number of rows of unsaved objects from the number of all rows.
        ///
        /// Either the context knows the number of rows of unsaved objects, or SQLite counts these
        /// rows by key.
        case subtraction
        /// SQLite returns the rows, and the context skips them without creating objects.
        case declining
    }

    /// The number of unsaved objects in the entity's hierarchy, including deleted objects.
    public package(set) var objects: Int
    /// The method for finding matching unsaved objects, or nil if there are no unsaved objects.
    public package(set) var matching: Matching?
    /// The number of objects for which the filter was evaluated.
    public package(set) var evaluated = 0
    /// The number of rows that were loaded and evaluated.
    ///
    /// A row is loaded if it refers to unsaved objects and SQL cannot evaluate the request for it.
    public package(set) var loaded = 0
    /// The method for leaving out the rows of unsaved objects, or nil if there are no such rows.
    public package(set) var omission: Omission?
    /// The SQL of further requests, for rows that match because of unsaved related objects.
    public package(set) var furtherSQL: [String] = []

    package init(objects: Int) {
        self.objects = objects
    }
}

extension PendingExplanation: CustomStringConvertible {
    /// One line about the unsaved objects, and one line for each statement in ``furtherSQL``.
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
