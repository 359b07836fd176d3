import Dispatch
import RecordStackModel

extension PersistentStoreCoordinator {
    /// Changes all rows of a request in one transaction, between two saves.
    ///
    /// Every context merges the changes from the log.
    ///
    /// - Returns: the number of rows.
    func perform(
        _ kind: BatchWrite.Kind, on request: StoreRequest, _ options: SaveOptions,
        _ cancellation: CancellationFlag?
    ) throws -> Int {
        try store.checkUsable()
        let batch = BatchWrite(kind, request, mostListed: CommitLog.mostRows)
        let count = try onWriterAndWait("a batch") {
            try prepareToWrite(cancellation)
            return try doing("writing a batch") { try write(batch, options) }
        }
        checkpointIfNeeded()
        return count
    }

    private func write(_ batch: BatchWrite, _ options: SaveOptions) throws -> Int {
        let token = saves.nextToken()
        defer { saves.endSave() }
        let leavesToken = store.leavesToken(entity: batch.objects.entity)
        let mark = leavesToken ? CommittedChanges.Mark.own(number: token.number) : .unnumbered
        var capture: SaveCapture?
        do {
            let count = try store.perform(
                batch, token: token, options: options, willWrite: deliver
            ) {
                capture = SaveCapture(ofNobody: $0)
            }
            if let capture { deliver(capture, as: mark) }
            return count
        } catch let error as RecordStackError where error.code == .outcomeUnknown {
            if let capture { remember(token, capture) }
            throw error.worded(for: .batch)
        }
    }
}

extension SaveCapture {
    /// Creates a capture of changes that no context has made.
    init(ofNobody changes: ChangeSet) {
        self.init(
            changes: changes, origins: [], levels: [:], savedEdits: [], author: nil,
            linkSerials: [:], remoteOrigin: nil, ticket: SaveTicket(), policy: .error)
    }
}
