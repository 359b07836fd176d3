public import RecordStackModel

/// The pages of a request, one after another, read by key when they are asked for.
///
/// ```swift
/// for try await page in context.pages(size: 100, of: Person.where { $0.isActive }) {
///     for person in page.items { print(person.name) }
/// }
/// ```
///
/// Each page is read in the isolation of the loop, which is the context's, and sees the store as it is then; see
/// ``KeysetPage`` for what that means while others save. The sequence keeps no page: the memory does not grow
/// with their number. Between two pages the actor's other work has its turn.
///
/// A request without objects has no page. The loop ends with `CancellationError` where its task is cancelled
/// before a page is read. Iterating again begins again.
public struct KeysetPages<Entity: ManagedObject>: AsyncSequence {
    /// A page.
    public typealias Element = KeysetPage<Entity>
    /// What reading a page throws.
    public typealias Failure = any Error

    private let context: ManagedObjectContext
    private let request: FetchRequest<Entity>
    private let size: Int
    private let start: PageToken?
    private let isBackwards: Bool

    package init(
        context: ManagedObjectContext, request: FetchRequest<Entity>, size: Int,
        from start: PageToken?, backwards: Bool
    ) {
        self.context = context
        self.request = request
        self.size = size
        self.start = start
        isBackwards = backwards
    }

    /// An iterator at the first page.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: self, token: start) }

    /// Reads one page after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let pages: KeysetPages
        fileprivate var token: PageToken?
        private var isFirst = true
        private var isDone = false

        fileprivate init(pages: KeysetPages, token: PageToken?) {
            self.pages = pages
            self.token = token
        }

        /// The next page; nil behind the last one.
        /// - Throws: what ``next(isolation:)`` throws.
        public mutating func next() async throws -> KeysetPage<Entity>? {
            try await next(isolation: #isolation)
        }

        /// The next page; nil behind the last one, and after an error.
        /// - Throws: ``RecordStackError/Code/misuse`` for a size below 1, for a request with a limit or an
        ///   offset, and for a token of another request; `CancellationError`; and what the store says.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> KeysetPage<Entity>? {
            if isDone { return nil }
            isDone = true
            try Task.checkCancellation()
            if !isFirst { await Task.yield() }
            isFirst = false
            let page = try pages.read(from: token)
            token = pages.isBackwards ? page.previous : page.next
            isDone = token == nil
            return page.items.isEmpty ? nil : page
        }
    }

    private func read(from token: PageToken?) throws -> KeysetPage<Entity> {
        try context.queries.page(
            from: token, backwards: isBackwards, size: size, context.storeRequest(request),
            prefetching: request.prefetches, as: Entity.self)
    }
}

@available(
    *, unavailable, message: "Pages hold objects of a context, and stay in its isolation."
)
extension KeysetPages: Sendable {}
