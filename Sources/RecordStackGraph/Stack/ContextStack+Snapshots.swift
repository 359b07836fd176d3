public import RecordStackModel

extension ContextStack {
    /// The values of a request's objects, as the store has them, read in batches by key.
    ///
    /// ```swift
    /// for try await person in stack.snapshots(of: Person.where { $0.isActive }, batch: 500) {
    ///     try await upload(person)
    /// }
    /// ```
    ///
    /// Each batch is read off the caller's actor, in a context of its own, as ``read(_:)`` does it: any task can
    /// go through any number of objects, and one batch is in memory at a time. What is not saved yet is not
    /// among them.
    ///
    /// - Parameters:
    ///   - request: which objects, without a limit or an offset.
    ///   - size: how many are read at a time, at least 1.
    public func snapshots<Entity: ManagedObject>(
        of request: FetchRequest<Entity>, batch size: Int = 500
    ) -> KeysetSnapshots<Entity> {
        KeysetSnapshots(stack: self, request: request, size: size)
    }
}

/// The values of a request's objects, one object after another: what ``ContextStack/snapshots(of:batch:)`` gives.
///
/// ```swift
/// let people = stack.snapshots(of: Person.all)
/// for try await person in people { print(person.name) }
/// ```
///
/// Each batch sees the store as it is when it is read; see ``KeysetPage`` for what that means while others save.
/// The sequence is a value that can be passed anywhere. Iterating again begins again.
public struct KeysetSnapshots<Entity: ManagedObject>: AsyncSequence, Sendable {
    /// The values of an object.
    public typealias Element = Snapshot<Entity>
    /// What reading a batch throws.
    public typealias Failure = any Error

    fileprivate let stack: ContextStack
    fileprivate let request: FetchRequest<Entity>
    fileprivate let size: Int

    /// An iterator at the first object.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: self) }

    /// Hands over one object's values after another, and reads a batch where it has none left.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let source: KeysetSnapshots
        private var batch: [Snapshot<Entity>] = []
        private var index = 0
        private var token: PageToken?
        private var isDone = false

        fileprivate init(source: KeysetSnapshots) {
            self.source = source
        }

        /// The values of the next object; nil behind the last one.
        /// - Throws: what ``next(isolation:)`` throws.
        public mutating func next() async throws -> Snapshot<Entity>? {
            try await next(isolation: #isolation)
        }

        /// The values of the next object; nil behind the last one, and after an error.
        /// - Throws: `CancellationError` where the task was cancelled;
        ///   ``RecordStackError/Code/misuse`` for a size below 1 and for a request with a limit or an offset;
        ///   and what ``ContextStack/read(_:)`` and the store say.
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
