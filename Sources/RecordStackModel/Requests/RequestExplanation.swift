/// How a store answers a request: the SQL, the values that are bound, and SQLite's plan.
///
/// ```swift
/// print(try context.explain(Person.where { $0.age >= 18 }.sorted(by: .ascending(\.name))))
/// // SELECT t0."_key",… FROM "Person" AS t0 WHERE t0."age" >= ? ORDER BY t0."name",t0."_key"
/// // ?1 = 18
/// // SCAN t0 USING INDEX Person_name
/// ```
///
/// What the plan says is from [SQLite's own words](https://www.sqlite.org/eqp.html): SEARCH reads the rows that
/// an index finds, SCAN reads all, and USE TEMP B-TREE sorts by itself.
public struct RequestExplanation: Sendable, Hashable {
    /// The SQL, with a question mark for each value.
    public let sql: String
    /// The values, in the order of their question marks. The texts with a prefix end before the prefix with a
    /// byte behind it that no text has; that stands here as bytes.
    public let bindings: [StoredValue]
    /// The steps of the plan, those within others indented by two spaces.
    public let plan: [String]
    /// The indexes that are used, each once.
    public let indexes: [String]
    /// How the context adds its unsaved changes; nil if the request reads nothing that is unsaved.
    public package(set) var pending: PendingExplanation?

    /// The number of unsaved objects of the entity's hierarchy, and of rows that are loaded because they refer to
    /// unsaved objects.
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

    /// The index of a step, as "SEARCH t0 USING COVERING INDEX name (age>?)" names it.
    private static func index(of step: String) -> String? {
        let words = step.split(separator: " ")
        // What stands in a list of JSON has a number in place of an index.
        guard let keyword = words.firstIndex(of: "INDEX"), keyword + 1 < words.count,
            !words.contains("VIRTUAL")
        else {
            return nil
        }
        return String(words[keyword + 1])
    }
}

extension RequestExplanation: CustomStringConvertible {
    /// The SQL, a line for each value, a line for each step, and one for unsaved changes.
    public var description: String {
        var lines = [sql]
        for (index, value) in bindings.enumerated() { lines.append("?\(index + 1) = \(value)") }
        lines += plan
        if let pending { lines.append("\(pending)") }
        return lines.joined(separator: "\n")
    }
}
