public import FoundationEssentials
import RecordStack
public import RecordStackGraph
public import RecordStackImport
import RecordStackModel

extension TestStack {
    /// Saves what a body makes, before it returns, in tests that are async and in those that are not.
    ///
    /// ```swift
    /// let ann = try test.seed { context in
    ///     try Person.create(in: context, email: "ann@example.org").objectID
    /// }
    /// ```
    ///
    /// - Returns: what the body returns: IDs, counts, snapshots. Objects stay in the body's context.
    /// - Throws: what the body throws, and then nothing is saved; what saving throws.
    @discardableResult
    public func seed<Value: Sendable>(
        _ body: (ManagedObjectContext) throws -> Value
    ) throws -> Value {
        let context: ManagedObjectContext = stack.newContext(name: "seed")
        let value = try body(context)
        try context.saveAndWait()
        return value
    }

    /// Saves what a body makes, as the other ``seed(_:)`` does. What the body's only expression gives is
    /// not needed.
    ///
    /// ```swift
    /// try test.seed { try Factory.person.create(100, in: $0) }
    /// ```
    public func seed(_ body: (ManagedObjectContext) throws -> Void) throws {
        let context: ManagedObjectContext = stack.newContext(name: "seed")
        try body(context)
        try context.saveAndWait()
    }

    /// Saves the objects of a JSON text, read as `Entity.importJSON(_:at:in:)` reads them.
    ///
    /// ```swift
    /// try test.seed(Person.self, json: #"[{"email": "ann@example.org", "full_name": "Ann"}]"#)
    /// ```
    ///
    /// A seed has no mistakes: where the import reports a problem, nothing is saved.
    ///
    /// - Parameters:
    ///   - type: the entity.
    ///   - json: the text.
    ///   - keyPath: where the rows are, as `"people"`; without, they are the whole text.
    /// - Throws: ``RecordStackError/Code/importFailed`` with every problem where the text is no JSON,
    ///   has nothing at the key path, or has rows or values that do not fit.
    @discardableResult
    public func seed<Entity: ManagedObject>(
        _ type: Entity.Type, json: String, at keyPath: String? = nil
    ) throws -> ImportReport {
        try seed(type, json: Data(json.utf8), at: keyPath)
    }

    /// Saves the objects of a JSON text as bytes, as the other ``seed(_:json:at:)`` does.
    @discardableResult
    public func seed<Entity: ManagedObject>(
        _ type: Entity.Type, json: Data, at keyPath: String? = nil
    ) throws -> ImportReport {
        try seed(type, json, at: keyPath, source: "the JSON")
    }

    /// Saves the objects of a JSON file that lies near the test.
    ///
    /// ```swift
    /// try test.seed(Person.self, jsonFile: "Data/people.json")
    /// ```
    ///
    /// - Parameters:
    ///   - type: the entity.
    ///   - name: the file's path; a relative one begins at the folder of the source file that calls,
    ///     so that a file of the tests need not be a resource of their target.
    ///   - keyPath: where the rows are.
    ///   - source: the file that calls.
    /// - Throws: what ``seed(_:json:at:)`` throws, and ``RecordStackError/Code/importFailed`` where
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

    /// A line for each problem, unless there are very many.
    private static func list(_ problems: [ImportProblem]) -> String {
        let lines = problems.prefix(20).map { "\n  \($0)" }.joined()
        let more = problems.count - 20
        return lines + (more > 0 ? "\n  and \(more) more" : "")
    }
}
