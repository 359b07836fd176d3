public import RecordStackGraph
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// The next page of a walk by key: the objects that come first behind a token.
    ///
    /// ```swift
    /// let page = try Person.page(after: nil, size: 25, sortedBy: .ascending(\.name), in: context) {
    ///     $0.age >= 18
    /// }
    /// let next = try Person.page(after: page.next, size: 25, sortedBy: .ascending(\.name), in: context) {
    ///     $0.age >= 18
    /// }
    /// ```
    ///
    /// It costs one statement, or one for each sort key where an index serves the first of them, and takes as
    /// long for the last page as for the first.
    ///
    /// - Parameters:
    ///   - token: a page's ``KeysetPage/next``; nil for the first page.
    ///   - size: how many objects a page has, at least 1.
    /// - Throws: ``RecordStackError/Code/misuse`` for a size below 1 and for a token of another request, of
    ///   another store, or that was changed; and what the store says.
    public static func page(
        after token: PageToken?, size: Int, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [], in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> KeysetPage<Self> {
        try context.page(after: token, size: size, of: request(filter, sortKeys, condition))
    }

    /// The page before in a walk by key: the objects that come last before a token.
    ///
    /// - Parameters:
    ///   - token: a page's ``KeysetPage/previous``; nil for the last page.
    ///   - size: how many objects a page has, at least 1.
    /// - Throws: what ``page(after:size:sortedBy:in:where:)`` throws.
    public static func page(
        before token: PageToken?, size: Int, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [], in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> KeysetPage<Self> {
        try context.page(before: token, size: size, of: request(filter, sortKeys, condition))
    }

    /// The pages of the objects for which a condition is true, one after another, read by key when they are
    /// asked for.
    ///
    /// ```swift
    /// for try await page in Person.pages(size: 100, sortedBy: .ascending(\.name), in: context) {
    ///     for person in page.items { print(person.name) }
    /// }
    /// ```
    ///
    /// - Parameter size: how many objects a page has, at least 1.
    public static func pages(
        size: Int, matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) -> KeysetPages<Self> {
        context.pages(size: size, of: request(filter, sortKeys, condition))
    }

    /// Hands over the pages of the objects for which a condition is true, one after another, without awaiting
    /// anything.
    ///
    /// ```swift
    /// try Person.eachPage(size: 100, sortedBy: .ascending(\.name), in: context) { page in
    ///     print(page.items.map(\.name))
    /// } where: { $0.isActive }
    /// ```
    ///
    /// - Parameter size: how many objects a page has, at least 1.
    /// - Throws: what ``ManagedObjectContext/eachPage(of:size:_:)`` throws.
    public static func eachPage(
        size: Int, matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        in context: ManagedObjectContext,
        _ body: (KeysetPage<Self>) throws -> Void,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws {
        try context.eachPage(of: request(filter, sortKeys, condition), size: size, body)
    }

    /// Hands over the objects of the entity one by one, read in batches by key.
    ///
    /// ```swift
    /// try Person.each(sortedBy: .ascending(\.name), in: context) { person in print(person.name) }
    /// ```
    ///
    /// - Throws: what ``ManagedObjectContext/each(_:batch:_:)`` throws.
    public static func each(
        batch size: Int = 100, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [], in context: ManagedObjectContext,
        _ body: (Self) throws -> Void
    ) throws {
        try context.each(request(filter, sortKeys) { _ in .all }, batch: size, body)
    }

    /// Hands over the objects of the entity one by one, read in batches by key, to a body that waits.
    /// - Throws: what ``ManagedObjectContext/each(_:batch:_:)`` throws.
    public static func each(
        batch size: Int = 100, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [], in context: ManagedObjectContext,
        _ body: (Self) async throws -> Void
    ) async throws {
        try await context.each(request(filter, sortKeys) { _ in .all }, batch: size, body)
    }
}

extension ManagedObject {
    /// Whether nobody has deleted the object since it was read.
    var isThere: Bool { objectState == .persistent || objectState == .pending }
}
