public import FoundationEssentials
import RecordStack
public import RecordStackGraph
public import RecordStackImport
import RecordStackModel

extension TestStack {
    /// Saves the objects that a closure creates, and returns the closure's result.
    ///
    /// ```swift
    /// let ann = try test.seed { context in
    ///     try Person.create(in: context, email: "ann@example.org").objectID
    /// }
    /// ```
    ///
    /// The objects are in the store when the call returns. You can use the call in synchronous and
    /// asynchronous tests.
    ///
    /// - Returns: The closure's result, such as IDs, counts or snapshots. You cannot return
    ///   objects, because they belong to the closure's context.
    /// - Throws: Any error of the closure, in which case nothing is saved, and any error of the
    ///   save.
    @discardableResult
    public func seed<Value: Sendable>(
        _ body: (ManagedObjectContext) throws -> Value
    ) throws -> Value {
        let context: ManagedObjectContext = stack.newContext(name: "seed")
        let value = try body(context)
        try context.saveAndWait()
        return value
    }

    /// Saves the objects that a closure creates.
    ///
    /// ```swift
    /// try test.seed { try Factory.person.create(100, in: $0) }
    /// ```
    ///
    /// If the closure is a single expression, this form ignores the value of the expression.
    public func seed(_ body: (ManagedObjectContext) throws -> Void) throws {
        let context: ManagedObjectContext = stack.newContext(name: "seed")
        try body(context)
        try context.saveAndWait()
    }

    /// Imports objects from JSON, like `Entity.importJSON(_:at:in:)`, and saves them.
    ///
    /// ```swift
    /// try test.seed(Person.self, json: #"[{"email": "ann@example.org", "full_name": "Ann"}]"#)
    /// ```
    ///
    /// If the import reports a problem, the call saves nothing and throws.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - json: The text.
    ///   - keyPath: The key path of the rows, such as `"people"`. Without a key path, the rows are
    ///     at the top level of the text.
    /// - Throws: `RecordStackError.Code.importFailed` if the text is not JSON, has nothing at the
    ///   key path, or has rows or values that do not fit. The error lists the problems.
    @discardableResult
    public func seed<Entity: ManagedObject>(
        _ type: Entity.Type, json: String, at keyPath: String? = nil
    ) throws -> ImportReport {
        try seed(type, json: Data(json.utf8), at: keyPath)
    }

    /// Imports objects from JSON in UTF-8, and saves them.
    @discardableResult
    public func seed<Entity: ManagedObject>(
        _ type: Entity.Type, json: Data, at keyPath: String? = nil
    ) throws -> ImportReport {
        try seed(type, json, at: keyPath, source: "the JSON")
    }

    /// Imports objects from a JSON file, and saves them.
    ///
    /// ```swift
    /// try test.seed(Person.self, jsonFile: "Data/people.json")
    /// ```
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - name: The path of the file. A relative path starts at the folder of the calling source
    ///     file, so the file need not be a resource of the test target.
    ///   - keyPath: The key path of the rows. Without a key path, the rows are at the top level of
    ///     the text.
    ///   - source: The calling source file.
    /// - Throws: Any error of `seed(_:json:at:)`, and `RecordStackError.Code.importFailed` if
    ///   the file cannot be read.
    @discardableResult
    public func seed<Entity: ManagedObject>(
        _ type: Entity.Type, jsonFile name: String, at keyPath: String? = nil,
        beside source: StaticString = #filePath
    ) throws -> ImportReport {
        let folder = URL(filePath: "\(source)").deletingLastPathComponent().path
        let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw RecordStackError(
                .importFailed,
                "\(path) cannot be read. Name the file from the folder of the test's source file.",
                entity: type.entityDescription.name)
        }
        return try seed(type, data, at: keyPath, source: name)
    }

    private func seed<Entity: ManagedObject>(
        _ type: Entity.Type, _ data: Data, at keyPath: String?, source: String
    ) throws -> ImportReport {
        let entity = type.entityDescription.name
        let head = "\(entity) was not seeded, because \(source) does not fit:"
        return try seed { context in
            let report: ImportReport
            do {
                report = try context.importJSON(data, at: keyPath, into: type)
            } catch let error as RecordStackError where error.code == .importFailed {
                throw RecordStackError(.importFailed, "\(head) \(error.message)", entity: entity)
            }
            guard let first = report.problems.first else { return report }
            throw RecordStackError(
                .importFailed, head + Self.list(report.problems), entity: entity,
                property: first.property, row: first.row)
        }
    }

    /// Returns one line for each problem, for at most 20 problems.
    private static func list(_ problems: [ImportProblem]) -> String {
        let lines = problems.prefix(20).map { "\n  \($0)" }.joined()
        let more = problems.count - 20
        return lines + (more > 0 ? "\n  and \(more) more" : "")
    }
}
