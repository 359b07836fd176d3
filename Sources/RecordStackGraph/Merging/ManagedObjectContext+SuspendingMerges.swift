extension ManagedObjectContext {
    /// Whether merging is suspended by ``suspendMerging()``, in this context or in an ancestor.
    public var isMergingSuspended: Bool {
        var isSuspended = false
        forEachUp { isSuspended = isSuspended || $0.merger.mergeSuspensions > 0 }
        return isSuspended
    }

    /// Suspends merging until ``resumeMerging()``, which then merges all commits at once.
    ///
    /// ```swift
    /// stack.defaultContext.suspendMerging()
    /// defer { stack.defaultContext.resumeMerging() }
    /// try await stack.importJSON(data, into: Person.self)
    /// ```
    ///
    /// Meanwhile, registered objects and relationships that were read keep their values, even if
    /// other contexts delete the objects. Requests read the store as always: they find new rows, do
    /// not find deleted rows, and refresh the unchanged objects among their results. A save of the
    /// context or of its children first merges all commits so far.
    ///
    /// The waiting commits take memory for at most 20,000 rows, where each commit counts as nine
    /// rows more. Beyond that limit, resuming compares registered objects with their rows by
    /// version. The comparison runs at most three statements for each hierarchy. If the context has
    /// an owner, another thread reads, and the objects change at the owner's next turn.
    ///
    /// You can nest calls: each needs a ``resumeMerging()``. A suspension also applies to the
    /// children of the context.
    public func suspendMerging() {
        checkIsolation()
        merger.mergeSuspensions += 1
    }

    /// Ends a suspension by ``suspendMerging()``, and merges the commits since then.
    ///
    /// The call does nothing if merging is not suspended. If there were too many commits to keep,
    /// rows have to be read. A context with an owner does that a moment later, or at its next
    /// operation. `withMergingSuspended(isolation:_:)` waits for it.
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
    /// When the call returns, the context has merged all commits. If rows must be read for that,
    /// another thread reads them.
    ///
    /// - Returns: the result of the body.
    /// - Throws: the error of the body.
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
        // The body may have resumed merging.
        if merger.mergeSuspensions == 0 { return }
        merger.mergeSuspensions -= 1
        await takeInNow()
    }

    /// Runs a body between ``suspendMerging()`` and ``resumeMerging()``.
    ///
    /// - Returns: the result of the body.
    /// - Throws: the error of the body.
    public func withMergingSuspended<Value>(_ body: () throws -> Value) rethrows -> Value {
        suspendMerging()
        defer { resumeMerging() }
        return try body()
    }
}
