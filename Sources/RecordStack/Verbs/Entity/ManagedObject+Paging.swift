public import RecordStackGraph
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Returns the page that follows a token.
    ///
    /// ```swift
    /// let first = try Person.page(
    ///     after: nil, size: 25, sortedBy: .ascending(\.name), in: context
    /// ) { $0.age >= 18 }
    /// let second = try Person.page(
    ///     after: first.next, size: 25, sortedBy: .ascending(\.name), in: context
    /// ) { $0.age >= 18 }
    /// ```
    ///
    /// Pass the ``KeysetPage/next`` token of the preceding page, or nil for the first page. The
    /// size is the number of objects on a page, at least 1.
    ///
    /// A page costs one statement, or a few statements if an index is sorted by the first sort key.
    /// Reading the last page is as fast as reading the first.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a size below 1, and for a token that was
    ///   modified or that belongs to another request or store. Also any error of the store.
    public static func page(
        after token: PageToken?, size: Int, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [], in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> KeysetPage<Self> {
        try context.page(after: token, size: size, of: request(filter, sortKeys, condition))
    }

    /// Returns the page that precedes a token.
    ///
    /// Pass the ``KeysetPage/previous`` token of the following page, or nil for the last page. The
    /// size is the number of objects on a page, at least 1.
    ///
    /// - Throws: Any error of ``page(after:size:matching:sortedBy:in:where:)``.
    public static func page(
        before token: PageToken?, size: Int, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [], in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> KeysetPage<Self> {
        try context.page(before: token, size: size, of: request(filter, sortKeys, condition))
    }

    /// Returns the pages of the objects that match a condition, as an asynchronous sequence.
    ///
    /// ```swift
    /// for try await page in Person.pages(size: 100, sortedBy: .ascending(\.name), in: context) {
    ///     for person in page.items { print(person.name) }
    /// }
    /// ```
    ///
    /// The sequence reads each page when the loop reaches the page. It finds each page by a token
    /// instead of an offset. The size is the number of objects on a page, at least 1.
    public static func pages(
        size: Int, matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        in context: ManagedObjectContext,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) -> KeysetPages<Self> {
        context.pages(size: size, of: request(filter, sortKeys, condition))
    }

    /// Calls a closure with each page of the objects that match a condition.
    ///
    /// ```swift
    /// try Person.eachPage(size: 100, sortedBy: .ascending(\.name), in: context) { page in
    ///     print(page.items.map(\.name))
    /// } where: { $0.isActive }
    /// ```
    ///
    /// The call does not suspend. It finds each page by a token instead of an offset. The size is
    /// the number of objects on a page, at least 1.
    ///
    /// - Throws: Any error of ``ManagedObjectContext/eachPage(of:size:_:)``.
    public static func eachPage(
        size: Int, matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        in context: ManagedObjectContext,
        _ body: (KeysetPage<Self>) throws -> Void,
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws {
        try context.eachPage(of: request(filter, sortKeys, condition), size: size, body)
    }

    /// Calls a closure with each object that matches a filter.
    ///
    /// ```swift
    /// try Person.each(sortedBy: .ascending(\.name), in: context) { person in print(person.name) }
    /// ```
    ///
    /// The call reads the objects in batches, and skips objects that were deleted after their batch
    /// was read.
    ///
    /// - Throws: Any error of the context's `each`.
    public static func each(
        batch size: Int = 100, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [], in context: ManagedObjectContext,
        _ body: (Self) throws -> Void
    ) throws {
        try context.each(request(filter, sortKeys) { _ in .all }, batch: size, body)
    }

    /// Calls an asynchronous closure with each object that matches a filter.
    ///
    /// The call reads the objects in batches, and skips objects that were deleted after their batch
    /// was read.
    ///
    /// - Throws: Any error of the context's `each`.
    public static func each(
        batch size: Int = 100, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [], in context: ManagedObjectContext,
        _ body: (Self) async throws -> Void
    ) async throws {
        try await context.each(request(filter, sortKeys) { _ in .all }, batch: size, body)
    }
}

extension ManagedObject {
    /// Whether the object is persistent or pending, and so neither deleted nor detached.
    var isThere: Bool { objectState == .persistent || objectState == .pending }
}
