extension ManagedObjectContext {
    /// Whether merging is suspended in this context or in an ancestor; see ``suspendMerging()``.
    public var isMergingSuspended: Bool {
        var isSuspended = false
        forEachUp { isSuspended = isSuspended || $0.merger.mergeSuspensions > 0 }
        return isSuspended
    }

    /// Suspends merging until you call ``resumeMerging()``, which merges all commits at once.
    ///
    /// ```swift
    /// stack.defaultContext.suspendMerging()
    /// defer { stack.defaultContext.resumeMerging() }
    /// try await stack.importJSON(data, into: Person.self)
    /// ```
    ///
    /// While merging is suspended, the objects that the context holds keep their values, even if
    /// other contexts delete the objects. Relationships that you have read keep their members.
    /// Requests still read the current store. They find new rows but not deleted rows, and they
    /// refresh each result that has no unsaved changes. A save of the context or of its children
    /// first merges all commits so far.
    ///
    /// The stack keeps unmerged commits in memory, up to a limit of 20,000 rows. A commit with n
    /// rows counts as n + 9 rows. If the commits exceed the limit, ``resumeMerging()`` compares the
    /// versions of the objects with the versions of their rows. The comparison takes at most three
    /// statements for each hierarchy of entities. If the context has an owner, another thread reads
    /// the rows, and the objects change a moment later in the owner's isolation.
    ///
    /// You can nest calls. Each call needs its own ``resumeMerging()``. A suspension also applies
    /// to the children of the context.
    public func suspendMerging() {
        checkIsolation()
        merger.mergeSuspensions += 1
    }

    /// Ends a suspension that ``suspendMerging()`` began, and merges all commits made since then.
    ///
    /// The call does nothing if merging is not suspended. If the commits exceeded the limit that
    /// ``suspendMerging()`` describes, the context has to read rows. A context with an owner reads
    /// them a moment later, or at its next operation. `withMergingSuspended(isolation:_:)` waits
    /// until the rows are read.
    public func resumeMerging() {
        checkIsolation()
        if merger.mergeSuspensions == 0 { return }
        merger.mergeSuspensions -= 1
        takeInSoon()
    }

    /// Runs a closure while merging is suspended, and then merges all commits.
    ///
    /// ```swift
    /// try await stack.defaultContext.withMergingSuspended {
    ///     try await stack.importJSON(data, into: Person.self)
    /// }
    /// ```
    ///
    /// When the call returns, the context has merged all commits. If the merge has to read rows,
    /// another thread reads them.
    ///
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
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

    /// Runs a synchronous closure while merging is suspended, and then resumes merging.
    ///
    /// The call uses ``suspendMerging()`` and ``resumeMerging()``.
    ///
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    public func withMergingSuspended<Value>(_ body: () throws -> Value) rethrows -> Value {
        suspendMerging()
        defer { resumeMerging() }
        return try body()
    }
}
