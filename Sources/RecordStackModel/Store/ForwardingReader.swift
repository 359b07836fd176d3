/// A reader that forwards the calls that it does not implement to other readers.
package protocol ForwardingReader: StoreReader {
    /// Returns the reader of an entity, or the reader of the store as a whole if the entity is nil.
    func reader(of entity: Int?) throws -> any StoreReader
    /// Returns the reader of a join table's rows.
    func reader(ofJoinTable joinTable: Int) throws -> any StoreReader
}

extension ForwardingReader {
    package func reader(ofJoinTable joinTable: Int) throws -> any StoreReader {
        try reader(of: nil)
    }

    private func reader(of source: MemberRequest.Source) throws -> any StoreReader {
        switch source {
        case .slot(_, of: let entity, _): try reader(of: entity)
        case .links(let joinTable, _, _): try reader(ofJoinTable: joinTable)
        }
    }

    package func beginTransaction() throws { try reader(of: nil).beginTransaction() }

    package func position() throws -> StorePosition { try reader(of: nil).position() }

    package func remoteChanges(since known: StorePosition, author: UInt64) throws -> ChangeSet? {
        try reader(of: nil).remoteChanges(since: known, author: author)
    }

    package func rows(_ request: StoreRequest, into sink: any RowSink) throws {
        try reader(of: request.entity).rows(request, into: sink)
    }

    package func keys(_ request: StoreRequest, into sink: any RowSink) throws {
        try reader(of: request.entity).keys(request, into: sink)
    }

    package func first(
        entity: Int, slot: Int, value: StoredValue, into sink: any RowSink
    ) throws {
        try reader(of: entity).first(entity: entity, slot: slot, value: value, into: sink)
    }

    package func members(_ request: MemberRequest, into sink: any MemberSink) throws {
        try reader(of: request.source).members(request, into: sink)
    }

    package func memberCount(_ request: MemberRequest) throws -> Int {
        try reader(of: request.source).memberCount(request)
    }

    package func hasLink(_ joinRow: JoinRow, in joinTable: Int) throws -> Bool {
        try reader(ofJoinTable: joinTable).hasLink(joinRow, in: joinTable)
    }

    package func count(_ request: StoreRequest) throws -> Int {
        try reader(of: request.entity).count(request)
    }

    package func exists(_ request: StoreRequest) throws -> Bool {
        try reader(of: request.entity).exists(request)
    }

    package func values(
        _ request: ValueRequest, into take: ([StoredValue]) throws -> Void
    ) throws {
        try reader(of: request.objects.entity).values(request, into: take)
    }

    package func explanation(of request: StoreRequest) throws -> RequestExplanation {
        try reader(of: request.entity).explanation(of: request)
    }

    package func explanation(ofCounting request: StoreRequest) throws -> RequestExplanation {
        try reader(of: request.entity).explanation(ofCounting: request)
    }

    package func explanation(of request: ValueRequest) throws -> RequestExplanation {
        try reader(of: request.objects.entity).explanation(of: request)
    }
}
