/// The SQL of a request, its bound values, and SQLite's query plan.
///
/// ```swift
/// print(try context.explain(Person.where { $0.age >= 18 }.sorted(by: .ascending(\.name))))
/// // SELECT t0."_key",… FROM "Person" AS t0 WHERE t0."age" >= ? ORDER BY t0."name",t0."_key"
/// // ?1 = 18
/// // SCAN t0 USING INDEX Person_name
/// ```
///
/// The plan has [SQLite's own format](https://www.sqlite.org/eqp.html). SEARCH reads the rows that
/// an index finds, SCAN reads all rows, and USE TEMP B-TREE sorts without an index.
public struct RequestExplanation: Sendable, Hashable {
    /// The SQL, with a question mark in place of each value.
    public let sql: String
    /// The values, in the order of their question marks.
    ///
    /// For a prefix search, the values are the bounds of a range. The upper bound is the prefix
    /// followed by a byte that no text contains, so it is shown as bytes.
    public let bindings: [StoredValue]
    /// The steps of the plan, in which each nested step is indented by two more spaces.
    public let plan: [String]
    /// The indexes that the plan uses, without duplicates.
    public let indexes: [String]
    /// The explanation for unsaved changes, or nil if the request reads no unsaved changes.
    public package(set) var pending: PendingExplanation?

    /// The number of unsaved objects in the entity's hierarchy, plus the number of loaded rows.
    ///
    /// A row is loaded if it refers to unsaved objects and SQL cannot evaluate the request for it.
    public var pendingObjects: Int { pending.map { $0.objects + $0.loaded } ?? 0 }

    package init(sql: String, bindings: [StoredValue], plan: [String]) {
        self.sql = sql
        self.bindings = bindings
        self.plan = plan
        var indexes: [String] = []
        for index in plan.compactMap(Self.index) where !indexes.contains(index) {
            indexes.append(index)
        }
        self.indexes = indexes
    }

    /// Returns the index in a step such as "SEARCH t0 USING COVERING INDEX name (age>?)".
    private static func index(of step: String) -> String? {
        let words = step.split(separator: " ")
        // A step for a list of JSON has a number instead of the name of an index.
        guard let keyword = words.firstIndex(of: "INDEX"), keyword + 1 < words.count,
            !words.contains("VIRTUAL")
        else {
            return nil
        }
        return String(words[keyword + 1])
    }
}

extension RequestExplanation: CustomStringConvertible {
    /// The SQL, with further lines for the values, the plan and the unsaved changes.
    public var description: String {
        var lines = [sql]
        for (index, value) in bindings.enumerated() { lines.append("?\(index + 1) = \(value)") }
        lines += plan
        if let pending { lines.append("\(pending)") }
        return lines.joined(separator: "\n")
    }
}
