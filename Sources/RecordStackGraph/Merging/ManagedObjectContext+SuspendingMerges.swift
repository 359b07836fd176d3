extension ManagedObjectContext {
    /// Whether what others save is left alone for now, because ``suspendMerging()`` was called here or for a
    /// parent.
    public var isMergingSuspended: Bool {
        var isSuspended = false
        forEachUp { isSuspended = isSuspended || $0.merger.mergeSuspensions > 0 }
        return isSuspended
    }

    /// Takes in nothing of what others save until ``resumeMerging()``, which then takes in all of it at once.
    ///
    /// ```swift
    /// stack.defaultContext.suspendMerging()
    /// defer { stack.defaultContext.resumeMerging() }
    /// try await stack.importJSON(data, into: Person.self)
    /// ```
    ///
    /// Registered objects keep their values meanwhile, those that others have deleted included, and so do
    /// relationships that were read; nobody is told of changes. Requests read the store as ever: they find new
    /// rows, do not find deleted ones, and refresh the unchanged objects among what they find. A save of the
    /// context or of its children takes in first what has come by then. What waits takes memory for 20,000 rows
    /// at most, where each save counts as nine more; past that, resuming looks at registered objects by version, one
    /// statement for each entity: where the context has an owner, another thread reads, and the objects follow as
    /// soon as the owner has its turn.
    ///
    /// Calls may be nested: each needs a ``resumeMerging()`` of its own. Children do as their parents.
    public func suspendMerging() {
        checkIsolation()
        merger.mergeSuspensions += 1
    }

    /// Ends what ``suspendMerging()`` began, and takes in what others have saved since. It does nothing where
    /// merging is not suspended.
    ///
    /// Where more than that was saved meanwhile, a context with an owner takes in what it has to read a
    /// moment later, or with its next operation; `withMergingSuspended(isolation:_:)` waits for it.
    public func resumeMerging() {
        checkIsolation()
        if merger.mergeSuspensions == 0 { return }
        merger.mergeSuspensions -= 1
        takeInSoon()
    }

    /// Runs a body between ``suspendMerging()`` and ``resumeMerging()``.
    ///
    /// ```swift
    /// try await stack.defaultContext.withMergingSuspended {
    ///     try await stack.importJSON(data, into: Person.self)
    /// }
    /// ```
    ///
    /// When it returns, all that others have saved is taken in; what has to be read for it, another thread reads.
    ///
    /// - Returns: what the body returns.
    /// - Throws: what the body throws.
    public func withMergingSuspended<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value {
        suspendMerging()
        let result: Value
        do { result = try await body() } catch {
            await resumeMergingNow()
            throw error
        }
        await resumeMergingNow()
        return result
    }

    private func resumeMergingNow() async {
        checkIsolation()
        // The body may have resumed it.
        if merger.mergeSuspensions == 0 { return }
        merger.mergeSuspensions -= 1
        await takeInNow()
    }

    /// Runs a body between ``suspendMerging()`` and ``resumeMerging()``.
    ///
    /// - Returns: what the body returns.
    /// - Throws: what the body throws.
    public func withMergingSuspended<Value>(_ body: () throws -> Value) rethrows -> Value {
        suspendMerging()
        defer { resumeMerging() }
        return try body()
    }
}
