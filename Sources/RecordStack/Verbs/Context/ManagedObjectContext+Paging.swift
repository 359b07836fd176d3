public import RecordStackGraph
public import RecordStackModel

extension ManagedObjectContext {
    /// Returns the page of a request that follows a token.
    ///
    /// - Parameters:
    ///   - token: The ``KeysetPage/next`` token of the preceding page, or nil for the first page.
    ///   - size: The number of objects on a page, at least 1.
    ///   - request: The request, without a limit or an offset. Use the same request for each page.
    /// - Throws: ``RecordStackError/Code/misuse`` for a size below 1, for a request with a limit or
    ///   an offset, and for a token that was modified or that belongs to another request or store.
    ///   Also any error of the store.
    public func page<Entity: ManagedObject>(
        after token: PageToken?, size: Int, of request: FetchRequest<Entity>
    ) throws -> KeysetPage<Entity> {
        try queries.page(
            from: token, backwards: false, size: size, storeRequest(request),
            prefetching: request.prefetches, as: Entity.self)
    }

    /// Returns the page of a request that precedes a token.
    ///
    /// - Parameters:
    ///   - token: The ``KeysetPage/previous`` token of the following page, or nil for the last
    ///     page.
    ///   - size: The number of objects on a page, at least 1.
    ///   - request: The request, without a limit or an offset. Use the same request for each page.
    /// - Throws: Any error of ``page(after:size:of:)``.
    public func page<Entity: ManagedObject>(
        before token: PageToken?, size: Int, of request: FetchRequest<Entity>
    ) throws -> KeysetPage<Entity> {
        try queries.page(
            from: token, backwards: true, size: size, storeRequest(request),
            prefetching: request.prefetches, as: Entity.self)
    }

    /// Returns the pages of a request, as an asynchronous sequence.
    ///
    /// ```swift
    /// for try await page in context.pages(size: 100, of: Person.where { $0.isActive }) {
    ///     for person in page.items { print(person.name) }
    /// }
    /// ```
    ///
    /// The sequence reads each page when the loop reaches the page. It finds each page by a token
    /// instead of an offset. If the request, the size or the token is invalid, reading the first
    /// page throws.
    ///
    /// - Parameters:
    ///   - token: The ``KeysetPage/next`` token of the page after which to start, or nil to start
    ///     with the first page. The page can come from an earlier iteration.
    ///   - size: The number of objects on a page, at least 1.
    ///   - request: The request, without a limit or an offset.
    public func pages<Entity: ManagedObject>(
        after token: PageToken? = nil, size: Int, of request: FetchRequest<Entity>
    ) -> KeysetPages<Entity> {
        KeysetPages(context: self, request: request, size: size, from: token, backwards: false)
    }

    /// Returns the pages of a request from the last to the first, as an asynchronous sequence.
    ///
    /// The sequence reads each page when the loop reaches the page. It finds each page by a token
    /// instead of an offset. Within a page, the objects have the order of the request.
    ///
    /// - Parameters:
    ///   - token: The ``KeysetPage/previous`` token of the page before which to start, or nil to
    ///     start with the last page.
    ///   - size: The number of objects on a page, at least 1.
    ///   - request: The request, without a limit or an offset.
    public func pages<Entity: ManagedObject>(
        before token: PageToken?, size: Int, of request: FetchRequest<Entity>
    ) -> KeysetPages<Entity> {
        KeysetPages(context: self, request: request, size: size, from: token, backwards: true)
    }

    /// Calls a closure with each page of a request.
    ///
    /// ```swift
    /// try context.eachPage(of: Person.where { $0.isActive }, size: 100) { page in
    ///     print(page.items.map(\.name))
    /// }
    /// ```
    ///
    /// The call does not suspend: use it where you cannot await ``pages(after:size:of:)``. It finds
    /// each page by a token instead of an offset. When the context reads a page, it releases the
    /// objects of the preceding page, except for objects that have changes or that your program
    /// holds. The closure never gets an empty page.
    ///
    /// - Parameters:
    ///   - request: The request, without a limit or an offset.
    ///   - size: The number of objects on a page, at least 1.
    ///   - body: The closure.
    /// - Throws: Any error of the closure, which ends the iteration, and any error of
    ///   ``page(after:size:of:)``.
    public func eachPage<Entity: ManagedObject>(
        of request: FetchRequest<Entity>, size: Int,
        _ body: (KeysetPage<Entity>) throws -> Void
    ) throws {
        var token: PageToken?
        repeat {
            let page = try page(after: token, size: size, of: request)
            if !page.items.isEmpty { try body(page) }
            token = page.next
        } while token != nil
    }

    /// Calls a closure with each object of a request.
    ///
    /// ```swift
    /// try context.each(Person.where { $0.isActive }, batch: 500) { person in
    ///     file.write(person.name)
    /// }
    /// ```
    ///
    /// The call reads the objects in batches, and skips objects that were deleted after their batch
    /// was read. When the context reads a batch, it releases the objects of the preceding batch,
    /// except for objects that have changes or that your program holds. Memory use does not grow
    /// with the number of objects.
    ///
    /// Each batch shows the state of the store at the time when the batch is read. See
    /// ``KeysetPage`` for the effect of saves between two batches.
    ///
    /// - Parameters:
    ///   - request: The request, without a limit or an offset.
    ///   - size: The number of objects in a batch, at least 1.
    ///   - body: The closure.
    /// - Throws: Any error of the closure, which ends the iteration, and any error of
    ///   ``page(after:size:of:)``.
    public func each<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>, batch size: Int = 100, _ body: (Entity) throws -> Void
    ) throws {
        try queries.eachPage(
            of: storeRequest(request), size: size, prefetching: request.prefetches, as: Entity.self
        ) {
            for object in $0 where object.isThere { try body(object) }
        }
    }

    /// Calls an asynchronous closure with each object of a request.
    ///
    /// ```swift
    /// try await context.each(Person.where { $0.isActive }) { person in
    ///     try await upload(person.snapshot)
    /// }
    /// ```
    ///
    /// The closure runs in the caller's isolation, which must be the context's isolation. Apart
    /// from that, the call works like the synchronous form.
    ///
    /// - Throws: `CancellationError` between two batches if the task is cancelled, and any error of
    ///   the synchronous form.
    public func each<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>, batch size: Int = 100,
        _ body: (Entity) async throws -> Void
    ) async throws {
        try await queries.eachPage(
            of: storeRequest(request), size: size, prefetching: request.prefetches, as: Entity.self
        ) {
            for object in $0 where object.isThere { try await body(object) }
        }
    }
}
