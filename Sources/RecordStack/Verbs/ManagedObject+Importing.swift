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
    ///   - options: what becomes of nulls, of what is absent and so on where nothing is declared; how keys are written; a
    ///     limit of problems; a dry run.
    ///   - progress: called after every batch.
    /// - Throws: ``RecordStackError/Code/importFailed`` where the text is no JSON or has nothing at
    ///   the key path, before anything is changed; ``RecordStackError/Code/misuse`` for a mapping
    ///   that cannot be read, and for an entity of several unique attributes none of which is named as
    ///   the identity; what finding and creating objects throw.
    @discardableResult
    public static func importJSON(
        _ data: Data, at keyPath: String? = nil, in context: ManagedObjectContext,
        options: ImportOptions = .patch, progress: ((ImportProgress) -> Void)? = nil
    ) throws -> ImportReport {
        try context.importJSON(
            data, at: keyPath, into: Self.self, options: options, progress: progress)
    }
}

extension ManagedObjectContext {
    /// Imports JSON into objects of an entity, as `Entity.importJSON(_:at:in:options:progress:)` does.
    @discardableResult
    public func importJSON<Entity: ManagedObject>(
        _ data: Data, at keyPath: String? = nil, into type: Entity.Type,
        options: ImportOptions = .patch, progress: ((ImportProgress) -> Void)? = nil
    ) throws -> ImportReport {
        try JSONImporter(into: type, context: self, options: options, progress: progress)
            .run(data, at: keyPath)
    }
}
