/// How a store answers a request: its SQL, the bound values, and the query plan of SQLite.
///
/// ```swift
/// print(try context.explain(Person.where { $0.age >= 18 }.sorted(by: .ascending(\.name))))
/// // SELECT t0."_key",… FROM "Person" AS t0 WHERE t0."age" >= ? ORDER BY t0."name",t0."_key"
/// // ?1 = 18
/// // SCAN t0 USING INDEX Person_name
/// ```
///
/// The plan is in [SQLite's own words](https://www.sqlite.org/eqp.html). SEARCH reads the rows that
/// an index finds, SCAN reads all rows, and USE TEMP B-TREE sorts without an index.
public struct RequestExplanation: Sendable, Hashable {
    /// The SQL, with a question mark for each value.
    public let sql: String
    /// The values, in the order of their question marks.
    ///
    /// A prefix search is a range of texts. Its upper bound is the prefix followed by a byte that
    /// no text contains. This bound is shown as bytes.
    public let bindings: [StoredValue]
    /// The steps of the plan; a step inside another step is indented by two more spaces.
    public let plan: [String]
    /// The indexes that the plan uses, each listed once.
    public let indexes: [String]
    /// How the context adds its unsaved changes; nil if the request reads no unsaved changes.
    public package(set) var pending: PendingExplanation?

    /// The number of unsaved objects of the entity's hierarchy, plus the number of loaded rows.
    ///
    /// Rows are loaded if they refer to unsaved objects in a way that SQL cannot follow.
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
    /// The SQL, a line for each value, a line for each step, and a line about unsaved changes.
    public var description: String {
        var lines = [sql]
        for (index, value) in bindings.enumerated() { lines.append("?\(index + 1) = \(value)") }
        lines += plan
        if let pending { lines.append("\(pending)") }
        return lines.joined(separator: "\n")
    }
}
