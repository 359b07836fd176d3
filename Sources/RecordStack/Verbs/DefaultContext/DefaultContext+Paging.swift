public import RecordStackGraph
public import RecordStackModel

// The same verbs without a context, for main-actor code: they use the default context of the
// default stack. In a save block they do not compile, because a block is not on the main actor.
@MainActor
extension ManagedEntity where Self: ManagedObject {
    /// ``page(after:size:matching:sortedBy:in:where:)`` in the default context of ``ContextStack/default``.
    public static func page(
        after token: PageToken?, size: Int, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [],
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> KeysetPage<Self> {
        try page(
            after: token, size: size, matching: filter, sortedBy: sortKeys,
            in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// ``page(before:size:matching:sortedBy:in:where:)`` in the default context of ``ContextStack/default``.
    public static func page(
        before token: PageToken?, size: Int, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [],
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> KeysetPage<Self> {
        try page(
            before: token, size: size, matching: filter, sortedBy: sortKeys,
            in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// ``pages(size:matching:sortedBy:in:where:)`` in the default context of ``ContextStack/default``.
    public static func pages(
        size: Int, matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> KeysetPages<Self> {
        try pages(
            size: size, matching: filter, sortedBy: sortKeys,
            in: ContextStack.requireDefaultContext(), where: condition)
    }

    /// ``eachPage(size:matching:sortedBy:in:_:where:)`` in the default context of ``ContextStack/default``.
    public static func eachPage(
        size: Int, matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        _ body: (KeysetPage<Self>) throws -> Void,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws {
        try eachPage(
            size: size, matching: filter, sortedBy: sortKeys,
            in: ContextStack.requireDefaultContext(), body, where: condition)
    }

    /// ``each(batch:matching:sortedBy:in:_:)`` in the default context of ``ContextStack/default``.
    public static func each(
        batch size: Int = 100, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [], _ body: (Self) throws -> Void
    ) throws {
        try each(
            batch: size, matching: filter, sortedBy: sortKeys,
            in: ContextStack.requireDefaultContext(), body)
    }

    /// ``each(batch:matching:sortedBy:in:_:)`` in the default context of ``ContextStack/default``.
    public static func each(
        batch size: Int = 100, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [], _ body: (Self) async throws -> Void
    ) async throws {
        try await each(
            batch: size, matching: filter, sortedBy: sortKeys,
            in: ContextStack.requireDefaultContext(), body)
    }
}
