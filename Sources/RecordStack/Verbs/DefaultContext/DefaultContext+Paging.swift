public import RecordStackGraph
public import RecordStackModel

// Verbs without a context, for main-actor code. They use the default context of the default stack.
// They do not compile in a save block, because a save block does not run on the main actor.
@MainActor
extension ManagedEntity where Self: ManagedObject {
    /// Returns the page of objects in the default context that follows a token.
    ///
    /// Works like ``page(after:size:matching:sortedBy:in:where:)``, in the default context of
    /// ``ContextStack/default``.
    public static func page(
        after token: PageToken?, size: Int, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [],
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> KeysetPage<Self> {
        try page(
            after: token, size: size, matching: filter, sortedBy: sortKeys,
            in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// Returns the page of objects in the default context that precedes a token.
    ///
    /// Works like ``page(before:size:matching:sortedBy:in:where:)``, in the default context of
    /// ``ContextStack/default``.
    public static func page(
        before token: PageToken?, size: Int, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [],
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> KeysetPage<Self> {
        try page(
            before: token, size: size, matching: filter, sortedBy: sortKeys,
            in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// Returns the pages of the objects in the default context that match a condition.
    ///
    /// Works like ``pages(size:matching:sortedBy:in:where:)``, in the default context of
    /// ``ContextStack/default``.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` if there is no default stack.
    public static func pages(
        size: Int, matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> KeysetPages<Self> {
        try pages(
            size: size, matching: filter, sortedBy: sortKeys,
            in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// Calls a closure with each page of the objects in the default context that match a condition.
    ///
    /// Works like ``eachPage(size:matching:sortedBy:in:_:where:)``, in the default context of
    /// ``ContextStack/default``.
    public static func eachPage(
        size: Int, matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        _ body: (KeysetPage<Self>) throws -> Void,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws {
        try eachPage(
            size: size, matching: filter, sortedBy: sortKeys,
            in: ContextStack.requireDefaultContext(), body, where: condition)
    }

    /// Calls a closure with each object in the default context that matches a filter.
    ///
    /// Works like `each(batch:matching:sortedBy:in:_:)`, in the default context of
    /// ``ContextStack/default``.
    public static func each(
        batch size: Int = 100, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [], _ body: (Self) throws -> Void
    ) throws {
        try each(
            batch: size, matching: filter, sortedBy: sortKeys,
            in: ContextStack.requireDefaultContext(), body)
    }

    /// Calls an asynchronous closure with each object in the default context that matches a filter.
    ///
    /// Works like `each(batch:matching:sortedBy:in:_:)`, in the default context of
    /// ``ContextStack/default``.
    public static func each(
        batch size: Int = 100, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [], _ body: (Self) async throws -> Void
    ) async throws {
        try await each(
            batch: size, matching: filter, sortedBy: sortKeys,
            in: ContextStack.requireDefaultContext(), body)
    }
}
