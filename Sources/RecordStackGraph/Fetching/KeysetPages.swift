public import RecordStackModel

/// The pages of a request, read by key one after another.
///
/// ```swift
/// for try await page in context.pages(size: 100, of: Person.where { $0.isActive }) {
///     for person in page.items { print(person.name) }
/// }
/// ```
///
/// Each page is read in the isolation of the loop, which is the context's, and shows the store at
/// that time. See ``KeysetPage`` for what that means while other contexts save. The sequence keeps
/// no pages, so its memory does not grow with their number. The actor does its other work between
/// two pages.
///
/// A request without objects has no pages. If the task of the loop is cancelled, the loop ends with
/// `CancellationError` before it reads the next page. A second iteration begins at the first page
/// again.
public struct KeysetPages<Entity: ManagedObject>: AsyncSequence {
    /// A page of the request.
    public typealias Element = KeysetPage<Entity>
    /// The type of the errors of reading a page.
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
        /// - Throws: the errors of ``next(isolation:)``.
        public mutating func next() async throws -> KeysetPage<Entity>? {
            try await next(isolation: #isolation)
        }

        /// Returns the next page, or nil after the last one and after an error.
        ///
        /// - Throws: ``RecordStackError/Code/misuse`` for a size below 1, for a request with a
        ///   limit or an offset, and for a token of another request; `CancellationError`; and
        ///   errors of the store.
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
