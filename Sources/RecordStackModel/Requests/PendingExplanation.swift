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
        /// By an index of the unsaved objects, of an attribute or a relationship. If the filter has more conditions, the
        /// objects that the index finds are evaluated.
        case index(String)
        /// By the kept result of the same filter. Its first use evaluates every unsaved object.
        case memo
        /// By evaluating the filter for every unsaved object.
        case evaluation
    }

    /// How the rows of unsaved objects are left out of the store's answer.
    public enum Omission: Sendable, Hashable {
        /// SQLite calls `RECORDSTACK_KEPT` for each row.
        case function
        /// All rows are counted, and those of unsaved objects, which the context knows or SQLite counts by key, are
        /// subtracted.
        case subtraction
        /// SQLite returns the rows, and the context declines them without making objects.
        case declining
    }

    /// The number of unsaved objects of the entity's hierarchy, deleted ones included.
    public package(set) var objects: Int
    /// How those that match are found; nil if there are none.
    public package(set) var matching: Matching?
    /// The number of objects for which the filter was evaluated.
    public package(set) var evaluated = 0
    /// The number of rows that were loaded and evaluated, because they refer to unsaved objects in a way that SQL
    /// cannot follow.
    public package(set) var loaded = 0
    /// How the rows of unsaved objects are left out; nil if there are none.
    public package(set) var omission: Omission?
    /// The SQL of further requests, for rows that match by an unsaved related object.
    public package(set) var furtherSQL: [String] = []

    package init(objects: Int) {
        self.objects = objects
    }
}

extension PendingExplanation: CustomStringConvertible {
    /// One line, and one for each further request.
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
