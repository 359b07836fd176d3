import RecordStackModel

/// Reads between two operations, and sets back what was committed since the last one.
///
/// Orders are read as they are stored: commits carry no old places.
final class BehindReader: StoreReader {
    private let reader: any StoreReader
    private let history: RowHistory
    private let model: ManagedObjectModel

    init(_ reader: any StoreReader, before history: RowHistory, _ model: ManagedObjectModel) {
        self.reader = reader
        self.history = history
        self.model = model
    }

    var statistics: StoreStatistics { reader.statistics }

    func rows(_ request: StoreRequest, into sink: any RowSink) throws {
        let hierarchy = model.modelEntities[request.entity].hierarchy
        try StoreAnswer(.rows(request), from: reader).setBack { values, key, version in
            history.setBack(&values, of: key, hierarchy: hierarchy, version: version)
        }.give(to: sink)
    }

    func members(_ request: MemberRequest, into sink: any MemberSink) throws {
        if request.source.isOrdered { return try reader.members(request, into: sink) }
        try members(request).give(to: sink)
    }

    private func members(_ request: MemberRequest) throws -> StoreAnswer {
        let answer = try StoreAnswer(.members(request), from: reader)
        let owners = Set(request.owners)
        switch request.source {
        case .slot(let slot, of: let entity, _):
            let hierarchy = model.modelEntities[entity].hierarchy
            let old = history.owners(at: slot, hierarchy: hierarchy)
            let back = old.compactMap { key, owner in
                owner.flatMap { owners.contains($0) ? (key: key, owner: $0) : nil }
            }
            return answer.withMembers(back) { key, _ in old[key] != nil }
        case .links(let linkage, let end, _):
            let old = history.pairs(of: linkage).filter { owners.contains($0.key.key(end)) }
            let back = old.compactMap { pair, wasThere in
                wasThere ? (key: pair.key(end.other), owner: pair.key(end)) : nil
            }
            return answer.withMembers(back) { key, owner in
                old[
                    end == .first
                        ? LinkPair(first: owner, second: key) : LinkPair(first: key, second: owner)]
                    != nil
            }
        }
    }

    func memberCount(_ request: MemberRequest) throws -> Int {
        if request.source.isOrdered { return try reader.memberCount(request) }
        return try members(request).memberCount
    }

    func hasLink(_ pair: LinkPair, in linkage: Int) throws -> Bool {
        try history.pairs(of: linkage)[pair] ?? reader.hasLink(pair, in: linkage)
    }

    func beginTransaction() throws { try reader.beginTransaction() }

    func end() { reader.end() }

    // MARK: What operations ask for

    func position() throws -> StorePosition { try reader.position() }

    func remoteChanges(since known: StorePosition, author: UInt64) throws -> ChangeSet? {
        try reader.remoteChanges(since: known, author: author)
    }

    func keys(_ request: StoreRequest, into sink: any RowSink) throws {
        try reader.keys(request, into: sink)
    }

    func first(entity: Int, slot: Int, value: StoredValue, into sink: any RowSink) throws {
        try reader.first(entity: entity, slot: slot, value: value, into: sink)
    }

    func count(_ request: StoreRequest) throws -> Int { try reader.count(request) }

    func exists(_ request: StoreRequest) throws -> Bool { try reader.exists(request) }

    func values(_ request: ValueRequest, into take: ([StoredValue]) throws -> Void) throws {
        try reader.values(request, into: take)
    }

    func explanation(of request: StoreRequest) throws -> RequestExplanation {
        try reader.explanation(of: request)
    }

    func explanation(ofCounting request: StoreRequest) throws -> RequestExplanation {
        try reader.explanation(ofCounting: request)
    }

    func explanation(of request: ValueRequest) throws -> RequestExplanation {
        try reader.explanation(of: request)
    }
}

extension ManagedObjectContext {
    /// Returns the reader for what is loaded between two operations.
    func readerBehind(_ reader: any StoreReader) throws -> any StoreReader {
        // A context whose merging is suspended shows what is stored.
        if isMergingSuspended { return reader }
        // The reader does not see later commits.
        let last = coordinator.lastCommit(at: try reader.position())
        let unread = cursor.next..<max(cursor.next, last + 1)
        if unread.isEmpty { return reader }
        if history?.unread != unread {
            let commits = coordinator.log.unread(cursor).filter { unread.contains($0.sequence) }
            history = (unread, RowHistory(before: commits, coordinator.model))
        }
        guard let history = history?.rows, !history.isEmpty else { return reader }
        return BehindReader(reader, before: history, coordinator.model)
    }
}
