import RecordStackModel

/// The rows of dirty objects that SQL returns before or among the rows of a window.
///
/// The sink declines these rows.
struct PassedRows {
    let keys: ContiguousArray<Int64>.SubSequence
    /// The number of clean rows before the window.
    let start: Int
    /// True if SQL begins with the last of these rows, because all of them precede the window.
    let isSkipping: Bool

    /// Returns the largest number of rows to read and decline.
    ///
    /// Up to this number, declining rows costs less than calling a function for each row.
    static func most(beside limit: Int?) -> Int { max(64, limit ?? 0) }

    /// Creates the rows for a window. Returns nil if they cannot determine the window.
    init?(_ matches: StoredMatches, before start: Int, of request: StoreRequest, areFew: Bool) {
        keys = matches.keys
        self.start = start
        isSkipping = !areFew
        if !matches.isSorted { return nil }
        // Only the keys of two rows show which row precedes the other.
        if start > 0 && (isSkipping || !request.sort.isEmpty) { return nil }
        if isSkipping && request.limit == nil { return nil }
    }

    /// Makes a request return the rows of the window and the dirty rows among them.
    func apply(to request: inout StoreRequest) {
        request.offset = isSkipping ? keys.count - 1 : start
        request.limit = request.limit.map {
            let (sum, isTooFar) = $0.addingReportingOverflow(isSkipping ? 1 : keys.count)
            return isTooFar ? .max : sum
        }
    }

    /// Returns the number of clean rows that precede the first row that SQL has returned.
    ///
    /// - Parameter first: the key of that row; nil if there is none.
    /// - Returns: nil if the rows are not the expected ones.
    func start(of first: Int64?) -> Int? {
        // The row at that index is the last known one only if all rows before it are known, too.
        if isSkipping { return first == keys.last ? 0 : nil }
        guard let first else { return start }
        return start - keys.prefix { $0 < first }.count
    }
}

/// The front of a request's stored result, if it consists of rows of dirty objects alone.
///
/// As long as nothing is committed and none of the objects becomes clean, the same request can
/// begin behind the front.
struct PassedFront {
    let question: FilterMemo.Question
    /// The position of the store when the front was found.
    let position: StorePosition
    /// The number of the snapshot that the reader saw at that time.
    let snapshot: SnapshotNumber?
    /// The requests that return the rows behind the front, in order; empty if they are unknown.
    var behind: [StoreRequest]
}

extension PendingView {
    /// Records that the rows of all dirty objects precede the window.
    ///
    /// - Parameter last: the key of the last of these rows.
    func noteFront(endingWith last: Int64?) throws {
        pending.front = PassedFront(
            question: FilterMemo.Question(request, isSorted: true),
            position: try reader.position(), snapshot: reader.snapshotNumber,
            behind: try last.map(requests) ?? [])
    }

    /// Records that further rows of dirty objects follow the front.
    func extendFront(to last: Int64?) throws {
        guard let last, table.object(last)?.knownRow == .values else { return }
        try noteFront(endingWith: last)
    }

    /// Returns the requests for the rows behind the row of a dirty object.
    private func requests(behind key: Int64) throws -> [StoreRequest] {
        guard let object = table.object(key), request.sortStaysOnObjects else { return [] }
        let keyset = Keyset(
            request, model: context.coordinator.model,
            store: context.coordinator.storeUUID(of: request.entity))
        let row = OwnSubject(object: object, isRow: true)
        let values = try keyset.terms.map { try $0.operand.value(for: row) }
        return keyset.requests(
            from: Keyset.Position(values: values, isInclusive: false), backwards: false
        ).map { part in
            var part = part
            part.bound = nil
            return part
        }
    }

    /// Returns the requests for the rows behind the front; empty if the front is unknown.
    ///
    /// The question of the request must be that of the front.
    func requestsBehindFront() throws -> [StoreRequest] {
        guard let front = pending.front, !front.behind.isEmpty, request.offset == 0,
            pending.unknownRows.isEmpty, context.knowsStoredRows,
            front.snapshot != nil, front.snapshot == reader.snapshotNumber,
            try reader.position() == front.position
        else { return [] }
        return front.behind
    }
}

/// Records the first row that SQL returns, and passes all rows on.
final class FirstRowSink: RowSink {
    private let sink: FetchSink
    private(set) var key: Int64?

    init(_ sink: FetchSink) { self.sink = sink }

    var stopsEarly: Bool { sink.stopsEarly }
    var isFull: Bool { sink.isFull }

    func wants(key: Int64, version: RowVersion, entity: Int) -> Bool {
        if self.key == nil { self.key = key }
        return sink.wants(key: key, version: version, entity: entity)
    }

    func row(_ cells: borrowing RowCells, key: Int64, version: RowVersion, entity: Int) throws {
        try sink.row(cells, key: key, version: version, entity: entity)
    }
}
