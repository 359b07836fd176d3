public import RecordStackModel

/// The pages of a request, as a sequence that reads one page at a time.
///
/// ```swift
/// for try await page in context.pages(size: 100, of: Person.where { $0.isActive }) {
///     for person in page.items { print(person.name) }
/// }
/// ```
///
/// The loop runs in the isolation of the context. Each page shows the store as it is when the page
/// is read. ``KeysetPage`` describes what happens if other contexts save between two pages. The
/// sequence keeps no pages, so its memory does not grow with the number of pages. Between two
/// pages, the context's actor can do other work.
///
/// If the request finds no objects, the sequence is empty. If the loop's task is cancelled, the
/// loop throws `CancellationError` instead of reading the next page. Each iteration begins at the
/// first page of the sequence.
public struct KeysetPages<Entity: ManagedObject>: AsyncSequence {
    /// A page of the request.
    public typealias Element = KeysetPage<Entity>
    /// The type of the errors that reading a page throws.
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

    /// Creates an iterator that begins at the first page.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: self, token: start) }

    /// An iterator that reads one page after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let pages: KeysetPages
        fileprivate var token: PageToken?
        private var isFirst = true
        private var isDone = false

        fileprivate init(pages: KeysetPages, token: PageToken?) {
            self.pages = pages
            self.token = token
        }

        /// Returns the next page, or nil after the last one.
        ///
        /// - Throws: The errors of ``next(isolation:)``.
        public mutating func next() async throws -> KeysetPage<Entity>? {
            try await next(isolation: #isolation)
        }

        /// Returns the next page, or nil after the last page or after an error.
        ///
        /// - Throws: ``RecordStackError/Code/misuse`` for a size below 1, for a request with a
        ///   limit or an offset, or for a token of another request. Throws `CancellationError` if
        ///   the task is cancelled. Also throws the store's errors.
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
