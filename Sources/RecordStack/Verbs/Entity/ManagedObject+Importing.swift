public import FoundationEssentials
public import RecordStackGraph
public import RecordStackImport
import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Imports JSON: each row changes the object with the same identity, or becomes a new object.
    ///
    /// ```swift
    /// let report = try await stack.saveWithBlock { context in
    ///     try Quake.importJSON(data, at: "features", in: context)
    /// }
    /// ```
    ///
    /// An attribute declares the keys of its value with `.imported(from:)`, and the format of a
    /// date with `.dateFormat(_:)`. An attribute without such a declaration is read from the key
    /// that equals its name. If an attribute declares several keys, the import uses the first key
    /// whose value is not null. By default, a missing key changes nothing. A null sets an optional
    /// attribute to nil, and any other attribute to its default.
    ///
    /// In the source, the value of a relationship is a nested object, the key of an object, or an
    /// array of nested objects or keys. The import finds or creates these objects in the same way
    /// as the objects of rows. A relationship declares with `.importing(…)` how the import treats
    /// nulls, members that the source does not list, and keys that match no object.
    ///
    /// The identity of an object is the entity's only unique attribute, or the properties that
    /// `@Entity(identity:)` names. If the entity has no identity, every row becomes a new object.
    /// By default, the import looks up the objects of 1,000 rows at a time, with one query for each
    /// entity. It also finds pending objects. If an object already has the values of its row, the
    /// import does not change the object.
    ///
    /// If a row would become a new object but lacks a required attribute, the import skips the row
    /// and reports a problem. It also skips the row if the value of a non-optional attribute does
    /// not convert. If the value of an optional attribute does not convert, the attribute keeps its
    /// value, and the import reports a problem.
    ///
    /// - Parameters:
    ///   - data: JSON in UTF-8.
    ///   - keyPath: The key path of the rows, such as `"features"` or `"result.items"`. The value
    ///     there is an array of objects or one object. Without a key path, the whole text is the
    ///     array or the object.
    ///   - context: The context of the objects. The import is part of its next save.
    ///   - scope: The objects to delete unless a row describes them, such as `Person.all` or
    ///     `Person.where { $0.source == "crm" }`. If the import skips a row and cannot tell which
    ///     object the row describes, it deletes none of these objects and reports a problem.
    ///   - options: The options, such as the policies for nulls and missing keys. A policy that a
    ///     property declares takes precedence.
    ///   - hooks: The hooks that the import calls.
    ///   - progress: Called after each batch.
    /// - Throws: ``RecordStackError/Code/importFailed`` if the text is not JSON or has nothing at
    ///   the key path; in this case the import changes nothing. ``RecordStackError/Code/misuse``
    ///   for an invalid mapping, for an entity that has several unique attributes and does not name
    ///   its identity, and for an identity that is not unique. Also errors of finding or creating
    ///   objects, errors of hooks, and `CancellationError` between two batches if the task is
    ///   cancelled.
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

    /// Imports a JSON file.
    ///
    /// The import works like ``importJSON(_:at:in:deletingOthers:options:hooks:progress:)``. The
    /// objects stay in memory until the context is saved. If the file is too large for that, use
    /// `stack.importJSON(.file(url), into: Person.self)`.
    ///
    /// - Throws: Any error of reading the file, and any error of
    ///   ``importJSON(_:at:in:deletingOthers:options:hooks:progress:)``.
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

    /// Imports rows that are dictionaries.
    ///
    /// ```swift
    /// try Person.importDictionaries([["email": "ann@example.org", "born": Date.now]], in: context)
    /// ```
    ///
    /// The import works like ``importJSON(_:at:in:deletingOthers:options:hooks:progress:)``. A
    /// value can be a string, a number, a Bool, a date, data, a UUID, a URL, an enum with a raw
    /// value, nil, or an array or dictionary of these. It can also be any value that
    /// `JSONSerialization` returns. A `Date` needs no date format.
    ///
    /// - Throws: ``RecordStackError/Code/importFailed`` for a value of another kind, before the
    ///   import changes anything.
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

    /// Imports rows that are encodable values.
    ///
    /// ```swift
    /// struct Reply: Codable { var email: String, name: String? }
    /// try Person.importEncodable([Reply(email: "ann@example.org")], in: context)
    /// ```
    ///
    /// The import encodes the values and then works like
    /// ``importJSON(_:at:in:deletingOthers:options:hooks:progress:)``.
    ///
    /// - Throws: Any error of encoding, before the import changes anything.
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

    /// Imports rows that are `ImportValue` values.
    ///
    /// The import works like ``importJSON(_:at:in:deletingOthers:options:hooks:progress:)``.
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
    /// Runs an import, then deletes the objects of a request that no row describes.
    package func deletingOthers<Entity: ManagedObject>(
        of scope: FetchRequest<Entity>?, _ run: (Importer) throws -> ImportReport
    ) throws -> ImportReport {
        guard let scope else { return try run(self) }
        try watchObjects()
        _ = try run(self)
        try deleteOthers(of: scope, but: seen ?? SeenObjects())
        return sortedReport
    }

    /// Deletes the objects of a request that the import has not seen.
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
    /// Sets the values of this object from a JSON object.
    ///
    /// ```swift
    /// try person.importJSON(reply, at: "person")
    /// ```
    ///
    /// The import changes this object even if the JSON object has another identity. In that case it
    /// sets the identity like any other value. Apart from that, it works like
    /// ``importJSON(_:at:in:deletingOthers:options:hooks:progress:)``. Without a key path, the
    /// whole text is the JSON object.
    @discardableResult
    public func importJSON(
        _ data: Data, at keyPath: String? = nil, options: ImportOptions = .patch,
        hooks: ImportHooks = ImportHooks()
    ) throws -> ImportReport {
        try importer(options, hooks).run(data, at: keyPath, for: self)
    }

    /// Sets the values of this object from a dictionary.
    ///
    /// The import works like ``importJSON(_:at:options:hooks:)``.
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
