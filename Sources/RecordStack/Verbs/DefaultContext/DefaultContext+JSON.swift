public import FoundationEssentials
public import RecordStackGraph
public import RecordStackImport
public import RecordStackModel

// Verbs without a context, for main-actor code. They use the default context of the default stack.
// They do not compile in a save block, because a save block does not run on the main actor.
@MainActor
extension ManagedEntity where Self: ManagedObject {
    /// Imports JSON into the default context.
    ///
    /// Works like ``importJSON(_:at:in:deletingOthers:options:hooks:progress:)``, in the default
    /// context of ``ContextStack/default``.
    @discardableResult
    public static func importJSON(
        _ data: Data, at keyPath: String? = nil, deletingOthers scope: FetchRequest<Self>? = nil,
        options: ImportOptions = .patch, hooks: ImportHooks = ImportHooks(),
        progress: ((ImportProgress) -> Void)? = nil
    ) throws -> ImportReport {
        try importJSON(
            data, at: keyPath, in: ContextStack.requireDefaultContext(), deletingOthers: scope,
            options: options, hooks: hooks, progress: progress)
    }

    /// Imports a JSON file into the default context.
    ///
    /// Works like ``importJSON(contentsOf:at:in:deletingOthers:options:hooks:progress:)``, in the
    /// default context of ``ContextStack/default``.
    @discardableResult
    public static func importJSON(
        contentsOf file: URL, at keyPath: String? = nil,
        deletingOthers scope: FetchRequest<Self>? = nil, options: ImportOptions = .patch,
        hooks: ImportHooks = ImportHooks(), progress: ((ImportProgress) -> Void)? = nil
    ) throws -> ImportReport {
        try importJSON(
            contentsOf: file, at: keyPath, in: ContextStack.requireDefaultContext(),
            deletingOthers: scope, options: options, hooks: hooks, progress: progress)
    }

    /// Imports rows that are dictionaries into the default context.
    ///
    /// Works like ``importDictionaries(_:in:deletingOthers:options:hooks:progress:)``, in the
    /// default context of ``ContextStack/default``.
    @discardableResult
    public static func importDictionaries(
        _ rows: [[String: Any]], deletingOthers scope: FetchRequest<Self>? = nil,
        options: ImportOptions = .patch, hooks: ImportHooks = ImportHooks(),
        progress: ((ImportProgress) -> Void)? = nil
    ) throws -> ImportReport {
        try importDictionaries(
            rows, in: ContextStack.requireDefaultContext(), deletingOthers: scope, options: options,
            hooks: hooks, progress: progress)
    }

    /// Imports rows that are encodable values into the default context.
    ///
    /// Works like ``importEncodable(_:in:deletingOthers:options:hooks:progress:)``, in the default
    /// context of ``ContextStack/default``.
    @discardableResult
    public static func importEncodable(
        _ rows: [some Encodable], deletingOthers scope: FetchRequest<Self>? = nil,
        options: ImportOptions = .patch, hooks: ImportHooks = ImportHooks(),
        progress: ((ImportProgress) -> Void)? = nil
    ) throws -> ImportReport {
        try importEncodable(
            rows, in: ContextStack.requireDefaultContext(), deletingOthers: scope, options: options,
            hooks: hooks, progress: progress)
    }

    /// Imports rows that are `ImportValue` values into the default context.
    ///
    /// Works like ``importValues(_:in:deletingOthers:options:hooks:progress:)``, in the default
    /// context of ``ContextStack/default``.
    @discardableResult
    public static func importValues(
        _ rows: [ImportValue], deletingOthers scope: FetchRequest<Self>? = nil,
        options: ImportOptions = .patch, hooks: ImportHooks = ImportHooks(),
        progress: ((ImportProgress) -> Void)? = nil
    ) throws -> ImportReport {
        try importValues(
            rows, in: ContextStack.requireDefaultContext(), deletingOthers: scope, options: options,
            hooks: hooks, progress: progress)
    }

    /// Returns the objects in the default context that match a condition, as JSON.
    ///
    /// Works like ``exportJSON(matching:sortedBy:in:options:where:)``, in the default context of
    /// ``ContextStack/default``.
    public static func exportJSON(
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        options: ExportOptions = ExportOptions(),
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Data {
        try exportJSON(
            matching: filter, sortedBy: sortKeys, in: ContextStack.requireDefaultContext(),
            options: options, where: condition)
    }

    /// Writes the objects in the default context that match a condition to a JSON file.
    ///
    /// Works like ``exportJSON(to:matching:sortedBy:in:options:where:)``, in the default context of
    /// ``ContextStack/default``.
    @discardableResult
    public static func exportJSON(
        to file: URL, matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        options: ExportOptions = ExportOptions(),
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Int {
        try exportJSON(
            to: file, matching: filter, sortedBy: sortKeys,
            in: ContextStack.requireDefaultContext(), options: options, where: condition)
    }
}
