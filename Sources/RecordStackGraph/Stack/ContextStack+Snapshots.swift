public import RecordStackModel

extension ContextStack {
    /// Returns the stored values of a request's objects as a sequence that reads them in batches.
    ///
    /// ```swift
    /// for try await person in stack.snapshots(of: Person.where { $0.isActive }, batch: 500) {
    ///     try await upload(person)
    /// }
    /// ```
    ///
    /// As in ``read(_:)``, a new context reads each batch, off the caller's actor. Any task can
    /// therefore iterate over any number of objects, with one batch in memory at a time. Unsaved
    /// changes are not included.
    ///
    /// - Parameters:
    ///   - request: The objects to read. The request must have no limit and no offset.
    ///   - size: The number of objects in a batch, at least 1.
    public func snapshots<Entity: ManagedObject>(
        of request: FetchRequest<Entity>, batch size: Int = 500
    ) -> KeysetSnapshots<Entity> {
        KeysetSnapshots(stack: self, request: request, size: size)
    }
}

/// The stored values of a request's objects, from ``ContextStack/snapshots(of:batch:)``.
///
/// ```swift
/// let people = stack.snapshots(of: Person.all)
/// for try await person in people { print(person.name) }
/// ```
///
/// Each batch shows the store as it is when the batch is read. ``KeysetPage`` describes what
/// happens if other contexts save between two batches. You can pass the sequence to any task. Each
/// iteration begins at the first object.
public struct KeysetSnapshots<Entity: ManagedObject>: AsyncSequence, Sendable {
    /// The values of one object.
    public typealias Element = Snapshot<Entity>
    /// The type of the errors that reading a batch throws.
    public typealias Failure = any Error

    fileprivate let stack: ContextStack
    fileprivate let request: FetchRequest<Entity>
    fileprivate let size: Int

    /// Returns an iterator at the first object.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: self) }

    /// An iterator over the values of the objects, which it reads in batches.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let source: KeysetSnapshots
        private var batch: [Snapshot<Entity>] = []
        private var index = 0
        private var token: PageToken?
        private var isDone = false

        fileprivate init(source: KeysetSnapshots) {
            self.source = source
        }

        /// Returns the values of the next object, or nil after the last one.
        ///
        /// - Throws: The errors of ``next(isolation:)``.
        public mutating func next() async throws -> Snapshot<Entity>? {
            try await next(isolation: #isolation)
        }

        /// Returns the values of the next object, or nil after the last one or after an error.
        ///
        /// - Throws: `CancellationError` if the task is cancelled. Throws
        ///   ``RecordStackError/Code/misuse`` for a size below 1, or for a request with a limit or
        ///   an offset. Also throws the errors of ``ContextStack/read(_:)`` and of the store.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> Snapshot<Entity>? {
            if Task.isCancelled && !isOver { return try end() }
            if index == batch.count {
                if isDone { return nil }
                isDone = true
                let page = try await source.read(from: token)
                (batch, index, token, isDone) = (page.items, 0, page.next, page.next == nil)
                if batch.isEmpty { return nil }
            }
            defer { index += 1 }
            return batch[index]
        }

        private var isOver: Bool { isDone && index == batch.count }

        private mutating func end() throws -> Snapshot<Entity>? {
            (batch, index, isDone) = ([], 0, true)
            throw CancellationError()
        }
    }

    private func read(from token: PageToken?) async throws -> KeysetPage<Snapshot<Entity>> {
        let (request, size) = (request, size)
        return try await stack.read { context in
            try context.queries.page(
                from: token, backwards: false, size: size, context.storeRequest(request),
                as: Entity.self
            ).map { try $0.makeSnapshot() }
        }
    }
}
