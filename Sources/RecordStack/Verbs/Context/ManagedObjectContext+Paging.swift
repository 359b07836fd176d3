public import RecordStackGraph
public import RecordStackModel

extension ManagedObjectContext {
    /// The next page of a walk by key: the objects of a request that come first behind a token.
    ///
    /// - Parameters:
    ///   - token: a page's ``KeysetPage/next``; nil for the first page.
    ///   - size: how many objects a page has, at least 1.
    ///   - request: what is walked, without a limit or an offset; the same one for each page.
    /// - Throws: ``RecordStackError/Code/misuse`` for a size below 1, for a request with a limit or an offset,
    ///   and for a token of another request, of another store, or that was changed; and what the store says.
    public func page<Entity: ManagedObject>(
        after token: PageToken?, size: Int, of request: FetchRequest<Entity>
    ) throws -> KeysetPage<Entity> {
        try queries.page(
            from: token, backwards: false, size: size, storeRequest(request),
            prefetching: request.prefetches, as: Entity.self)
    }

    /// The page before in a walk by key: the objects of a request that come last before a token.
    ///
    /// - Parameters:
    ///   - token: a page's ``KeysetPage/previous``; nil for the last page.
    ///   - size: how many objects a page has, at least 1.
    ///   - request: what is walked, without a limit or an offset; the same one for each page.
    /// - Throws: what ``page(after:size:of:)`` throws.
    public func page<Entity: ManagedObject>(
        before token: PageToken?, size: Int, of request: FetchRequest<Entity>
    ) throws -> KeysetPage<Entity> {
        try queries.page(
            from: token, backwards: true, size: size, storeRequest(request),
            prefetching: request.prefetches, as: Entity.self)
    }

    /// The pages of a request, one after another, read by key when they are asked for.
    ///
    /// ```swift
    /// for try await page in context.pages(size: 100, of: Person.where { $0.isActive }) {
    ///     for person in page.items { print(person.name) }
    /// }
    /// ```
    ///
    /// What is wrong with the request, the size or the token is thrown when the first page is read.
    ///
    /// - Parameters:
    ///   - token: where to begin: a page's ``KeysetPage/next``, of this walk or an earlier one; nil for the first
    ///     page.
    ///   - size: how many objects a page has, at least 1.
    ///   - request: what is walked, without a limit or an offset.
    public func pages<Entity: ManagedObject>(
        after token: PageToken? = nil, size: Int, of request: FetchRequest<Entity>
    ) -> KeysetPages<Entity> {
        KeysetPages(context: self, request: request, size: size, from: token, backwards: false)
    }

    /// The pages of a request from the last one to the first, read by key when they are asked for. The objects of
    /// each page are in the request's order.
    ///
    /// - Parameters:
    ///   - token: a page's ``KeysetPage/previous``; nil for the last page.
    ///   - size: how many objects a page has, at least 1.
    ///   - request: what is walked, without a limit or an offset.
    public func pages<Entity: ManagedObject>(
        before token: PageToken?, size: Int, of request: FetchRequest<Entity>
    ) -> KeysetPages<Entity> {
        KeysetPages(context: self, request: request, size: size, from: token, backwards: true)
    }

    /// Hands over the pages of a request one after another, without awaiting anything: ``pages(after:size:of:)`` for
    /// code that waits.
    ///
    /// ```swift
    /// try context.eachPage(of: Person.where { $0.isActive }, size: 100) { page in
    ///     print(page.items.map(\.name))
    /// }
    /// ```
    ///
    /// A page is let go of with the next one, unless its objects have changes or the program holds them. There is no
    /// empty page.
    ///
    /// - Parameters:
    ///   - request: what is walked, without a limit or an offset.
    ///   - size: how many objects a page has, at least 1.
    /// - Throws: what the body throws, which ends the walk, and what ``page(after:size:of:)`` throws.
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

    /// Hands over the objects of a request one by one.
    ///
    /// ```swift
    /// try context.each(Person.where { $0.isActive }, batch: 500) { person in
    ///     file.write(person.name)
    /// }
    /// ```
    ///
    /// The objects are read in batches by key, and those of a batch are let go of with the next one, unless
    /// they have changes or the program holds them: the memory does not grow with their number. Each batch
    /// sees the store as it is then; see ``KeysetPage`` for what that means while others save.
    ///
    /// - Parameters:
    ///   - request: which objects, without a limit or an offset.
    ///   - size: how many are read at a time, at least 1.
    /// - Throws: what the body throws, which ends the walk, and what ``page(after:size:of:)`` throws.
    public func each<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>, batch size: Int = 100, _ body: (Entity) throws -> Void
    ) throws {
        try queries.eachPage(
            of: storeRequest(request), size: size, prefetching: request.prefetches, as: Entity.self
        ) {
            for object in $0 where object.isThere { try body(object) }
        }
    }

    /// Hands over the objects of a request one by one, to a body that waits.
    ///
    /// ```swift
    /// try await context.each(Person.where { $0.isActive }) { person in
    ///     try await upload(person.snapshot)
    /// }
    /// ```
    ///
    /// The body runs in the isolation of its caller, which is the context's.
    ///
    /// - Throws: `CancellationError` between two batches where the task was cancelled, and what the form
    ///   without waiting throws.
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
