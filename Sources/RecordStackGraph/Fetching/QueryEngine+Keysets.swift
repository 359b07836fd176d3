package import RecordStackModel

extension QueryEngine {
    /// Returns the page of a request that begins behind a token, or that ends before it.
    ///
    /// - Parameter token: the token; nil for the first page, or for the last page if the walk goes
    ///   backwards.
    package func page<Entity: ManagedObject>(
        from token: PageToken?, backwards: Bool, size: Int, _ request: StoreRequest,
        prefetching paths: [Prefetch] = [], as type: Entity.Type
    ) throws -> KeysetPage<Entity> {
        let keyset = try keyset(of: request, size: size)
        let position = try token.map(keyset.position)
        let requests = keyset.requests(from: position, backwards: backwards)
        var found: [Entity] = []
        // One object more than wanted shows whether there are more. Several requests must see one
        // moment.
        let wanted = size == .max ? size : size + 1
        let tokens = try context.reading(transaction: requests.count > 1 || !paths.isEmpty) { _ in
            for var part in requests where found.count < wanted {
                part.limit = wanted - found.count
                found += try fetch(part, as: type)
            }
            let hasMore = found.count > size
            if hasMore { found.removeLast() }
            try prefetch(paths, for: found)
            return try self.tokens(around: found, in: keyset, from: position, hasMore: hasMore)
        }
        return backwards
            ? KeysetPage(items: found.reversed(), next: tokens.behind, previous: tokens.ahead)
            : KeysetPage(items: found, next: tokens.ahead, previous: tokens.behind)
    }

    /// Explains how the objects of a page are found.
    ///
    /// There is one explanation for each statement that may be needed.
    package func explanations(
        ofPageFrom token: PageToken?, backwards: Bool, size: Int, _ request: StoreRequest
    ) throws -> [RequestExplanation] {
        let keyset = try keyset(of: request, size: size)
        let position = try token.map(keyset.position)
        return try keyset.requests(from: position, backwards: backwards).map { part in
            var part = part
            part.limit = size == .max ? size : size + 1
            return try explanation(of: part)
        }
    }

    private func keyset(of request: StoreRequest, size: Int) throws -> Keyset {
        if size < 1 {
            throw RecordStackError(
                .misuse, "A page has at least one object; \(size) were asked for.")
        }
        if request.limit != nil || request.offset != 0 {
            throw RecordStackError(
                .misuse,
                "A request that is walked by key has no limit and no offset: the size of the page says how "
                    + "many objects come, and the token where they begin.")
        }
        return Keyset(
            request, model: coordinator.model, store: coordinator.storeUUID(of: request.entity))
    }

    /// Returns the tokens at the two ends of a page, in the direction of the walk.
    private func tokens(
        around objects: [some ManagedObject], in keyset: Keyset, from position: Keyset.Position?,
        hasMore: Bool
    ) throws -> (behind: PageToken?, ahead: PageToken?) {
        guard let first = objects.first, let last = objects.last else {
            // A walk that turns round must return the object again at which it had stopped.
            let turned = position.map {
                Keyset.Position(values: $0.values, isInclusive: !$0.isInclusive)
            }
            return (turned.map(keyset.token), nil)
        }
        return (
            position == nil ? nil : keyset.token(try self.position(of: first, in: keyset)),
            hasMore ? keyset.token(try self.position(of: last, in: keyset)) : nil
        )
    }

    private func position(of object: ManagedObject, in keyset: Keyset) throws -> Keyset.Position {
        let subject = ObjectSubject(object: object, context: context)
        return Keyset.Position(
            values: try keyset.terms.map { try $0.operand.value(for: subject) }, isInclusive: false)
    }
}

extension QueryEngine {
    /// Calls a body with the objects of a request, a page at a time.
    package func eachPage<Entity: ManagedObject>(
        of request: StoreRequest, size: Int, prefetching paths: [Prefetch] = [],
        as type: Entity.Type, _ body: ([Entity]) throws -> Void
    ) throws {
        var token: PageToken?
        repeat {
            let page = try page(
                from: token, backwards: false, size: size, request, prefetching: paths, as: type)
            if !page.items.isEmpty { try body(page.items) }
            token = page.next
        } while token != nil
    }

    /// Calls an asynchronous body with the objects of a request, a page at a time.
    ///
    /// The body runs in its caller's isolation.
    package func eachPage<Entity: ManagedObject>(
        of request: StoreRequest, size: Int, prefetching paths: [Prefetch] = [],
        as type: Entity.Type, _ body: ([Entity]) async throws -> Void
    ) async throws {
        var token: PageToken?
        repeat {
            try Task.checkCancellation()
            let page = try page(
                from: token, backwards: false, size: size, request, prefetching: paths, as: type)
            if !page.items.isEmpty { try await body(page.items) }
            token = page.next
        } while token != nil
    }
}
