public import FoundationEssentials
public import RecordStackGraph
public import RecordStackImport
import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Imports JSON: each object becomes a new object of the entity, or changes the one that has the
    /// same identity.
    ///
    /// ```swift
    /// let report = try await stack.saveWithBlock { context in
    ///     try Quake.importJSON(data, at: "features", in: context)
    /// }
    /// ```
    ///
    /// Where a value is found, and how it is read, is declared beside the attribute with
    /// `.imported(from:)` and `.dateFormat(_:)`; an attribute without is looked for under its own
    /// name. A null under a wanted key gives way to a value under a less wanted one. A key that is
    /// missing changes nothing; a null clears an optional attribute and sets a required one to its
    /// default.
    ///
    /// Relationships take nested objects, the keys of objects, and arrays of these; the objects are found as rows are,
    /// or made. What becomes of nulls, of members that the source does not have, and of keys that nobody has is
    /// declared with `.importing(…)`.
    ///
    /// The identity is the entity's only unique attribute, or the one named with
    /// `@Entity(identity:)`; without a unique attribute, every row becomes a new object. Rows are looked up in the
    /// store and among what is pending, 1,000 with one query for each entity. A row that says what the object has
    /// already writes nothing.
    ///
    /// A row is skipped, and reported, where a required attribute is missing or does not convert;
    /// an optional attribute that does not convert keeps its value and is reported.
    ///
    /// - Parameters:
    ///   - data: JSON in UTF-8.
    ///   - keyPath: where the rows are, as `"features"` or `"result.items"`; an array of objects, or
    ///     one object. Without, they are the whole text.
    ///   - context: where the objects are made. The import is part of its next save.
    ///   - scope: objects that are deleted where no row was of them, as `Person.all` or
    ///     `Person.where { $0.source == "crm" }`; none without. Where a row was left out and of which object it is
    ///     cannot be told, nothing is deleted, which is reported.
    ///   - options: what becomes of nulls, of what is absent and so on where nothing is declared; how keys are written; a
    ///     limit of problems; a dry run.
    ///   - hooks: what is called in the course of the import.
    ///   - progress: called after every batch.
    /// - Throws: ``RecordStackError/Code/importFailed`` where the text is no JSON or has nothing at
    ///   the key path, before anything is changed; ``RecordStackError/Code/misuse`` for a mapping
    ///   that cannot be read, and for an entity of several unique attributes none of which is named as
    ///   the identity; what finding and creating objects throw; what hooks throw; `CancellationError` between two
    ///   batches where the task was cancelled.
    @discardableResult
    public static func importJSON(
        _ data: Data, at keyPath: String? = nil, in context: ManagedObjectContext,
        deletingOthers scope: FetchRequest<Self>? = nil, options: ImportOptions = .patch,
        hooks: ImportHooks = ImportHooks(), progress: ((ImportProgress) -> Void)? = nil
    ) throws -> ImportReport {
        try context.importJSON(
            data, at: keyPath, into: Self.self, deletingOthers: scope, options: options,
            hooks: hooks, progress: progress)
    }

    /// Imports the JSON of a file, as ``importJSON(_:at:in:deletingOthers:options:hooks:progress:)`` does.
    ///
    /// The objects are in memory until the context is saved. For files that are too long for that there is
    /// `stack.importJSON(.file(url), into: Person.self)`.
    /// - Throws: what reading the file throws, as well.
    @discardableResult
    public static func importJSON(
        contentsOf file: URL, at keyPath: String? = nil, in context: ManagedObjectContext,
        deletingOthers scope: FetchRequest<Self>? = nil, options: ImportOptions = .patch,
        hooks: ImportHooks = ImportHooks(), progress: ((ImportProgress) -> Void)? = nil
    ) throws -> ImportReport {
        try importJSON(
            Data(contentsOf: file, options: .mappedIfSafe), at: keyPath, in: context,
            deletingOthers: scope, options: options, hooks: hooks, progress: progress)
    }

    /// Imports dictionaries as ``importJSON(_:at:in:deletingOthers:options:hooks:progress:)`` does the objects of JSON.
    ///
    /// ```swift
    /// try Person.importDictionaries([["email": "ann@example.org", "born": Date.now]], in: context)
    /// ```
    ///
    /// Values are text, numbers, Bools, dates, data, UUIDs, URLs, enums with a raw value, arrays and dictionaries of
    /// these, nil, and what `JSONSerialization` makes. A date needs no format.
    /// - Throws: ``RecordStackError/Code/importFailed`` for a value of another kind, before anything is changed.
    @discardableResult
    public static func importDictionaries(
        _ rows: [[String: Any]], in context: ManagedObjectContext,
        deletingOthers scope: FetchRequest<Self>? = nil, options: ImportOptions = .patch,
        hooks: ImportHooks = ImportHooks(), progress: ((ImportProgress) -> Void)? = nil
    ) throws -> ImportReport {
        try importValues(
            rows.map { try ImportValue($0) }, in: context, deletingOthers: scope, options: options,
            hooks: hooks, progress: progress)
    }

    /// Imports what values encode, as ``importJSON(_:at:in:deletingOthers:options:hooks:progress:)`` does the objects of JSON.
    ///
    /// ```swift
    /// struct Reply: Codable { var email: String, name: String? }
    /// try Person.importEncodable([Reply(email: "ann@example.org")], in: context)
    /// ```
    /// - Throws: what encoding throws, before anything is changed.
    @discardableResult
    public static func importEncodable(
        _ rows: [some Encodable], in context: ManagedObjectContext,
        deletingOthers scope: FetchRequest<Self>? = nil, options: ImportOptions = .patch,
        hooks: ImportHooks = ImportHooks(), progress: ((ImportProgress) -> Void)? = nil
    ) throws -> ImportReport {
        try importValues(
            rows.map { try ImportValue(encoding: $0) }, in: context, deletingOthers: scope,
            options: options, hooks: hooks, progress: progress)
    }

    /// Imports values as ``importJSON(_:at:in:deletingOthers:options:hooks:progress:)`` does the objects of JSON.
    @discardableResult
    public static func importValues(
        _ rows: [ImportValue], in context: ManagedObjectContext,
        deletingOthers scope: FetchRequest<Self>? = nil, options: ImportOptions = .patch,
        hooks: ImportHooks = ImportHooks(), progress: ((ImportProgress) -> Void)? = nil
    ) throws -> ImportReport {
        let importer = try Importer(
            into: Self.self, context: context, options: options, hooks: hooks, progress: progress)
        for row in rows { _ = try row.requireDepth() }
        return try importer.deletingOthers(of: scope) { try $0.run(rows, count: rows.count) }
    }
}

extension Importer {
    /// Runs an import, and deletes the objects of a request then that no row was of.
    package func deletingOthers<Entity: ManagedObject>(
        of scope: FetchRequest<Entity>?, _ run: (Importer) throws -> ImportReport
    ) throws -> ImportReport {
        guard let scope else { return try run(self) }
        try watchObjects()
        _ = try run(self)
        try deleteOthers(of: scope, but: seen ?? SeenObjects())
        return sortedReport
    }

    /// Deletes the objects of a request that are none of those that were seen.
    package func deleteOthers<Entity: ManagedObject>(
        of scope: FetchRequest<Entity>, but seen: SeenObjects
    ) throws {
        let context = target
        try deleteOthers(among: context.objectIDs(scope), but: seen) { ids in
            try context.find(
                FetchRequest<Entity>(filter: FilterProxy<Entity>().objectID.isIn(ids)))
        }
    }
}

extension ManagedEntity where Self: ManagedObject {
    /// Gives the object the values of a JSON object, whichever object that one's identity is of.
    ///
    /// ```swift
    /// try person.importJSON(reply, at: "person")
    /// ```
    ///
    /// Everything else is as in ``importJSON(_:at:in:deletingOthers:options:hooks:progress:)``; the identity is a value like others.
    /// - Parameter keyPath: where the one row is; without, it is the whole text.
    @discardableResult
    public func importJSON(
        _ data: Data, at keyPath: String? = nil, options: ImportOptions = .patch,
        hooks: ImportHooks = ImportHooks()
    ) throws -> ImportReport {
        try importer(options, hooks).run(data, at: keyPath, for: self)
    }

    /// Gives the object the values of a dictionary, as ``importJSON(_:at:options:hooks:)`` does those of JSON.
    @discardableResult
    public func importDictionary(
        _ row: [String: Any], options: ImportOptions = .patch, hooks: ImportHooks = ImportHooks()
    ) throws -> ImportReport {
        try importer(options, hooks).run(try ImportValue(row), for: self)
    }

    private func importer(_ options: ImportOptions, _ hooks: ImportHooks) throws -> Importer {
        guard let context = managedObjectContext else {
            throw absent("Nothing can be imported into it.")
        }
        if options.isDryRun {
            throw RecordStackError(
                .misuse, "There is no dry run into an object: use a child context, and drop it.",
                entity: Self.entityDescription.name)
        }
        return try Importer(
            into: type(of: self), context: context, options: options, hooks: hooks)
    }
}
