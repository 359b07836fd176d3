import FoundationEssentials
package import RecordStackModel

/// The batches of a source, in order.
package struct ImportBatches {
    private let source: ImportSource
    private let keyPath: String?
    private let options: ImportOptions
    private let entity: EntityDescription
    package private(set) var totalBytes: Int?
    package private(set) var totalRows: Int?
    private var file: FilePieces?

    /// Opens a source.
    ///
    /// - Throws: ``RecordStackError/Code/importFailed`` for a file that cannot be read, and for
    ///   values that are nested too deeply.
    package init(
        of source: ImportSource, at keyPath: String?, _ options: ImportOptions,
        entity: EntityDescription
    ) throws {
        self.source = source
        self.keyPath = keyPath
        self.options = options
        self.entity = entity
        try options.check()
        switch source.kind {
        case .data(let data): totalBytes = data.count
        case .file(let url):
            let pieces = try FilePieces(url)
            totalBytes = pieces.totalBytes
            file = pieces
        case .values(let values):
            for value in values { _ = try value.requireDepth() }
            totalRows = values.count
        case .pieces: break
        }
    }

    /// Calls a closure with each batch.
    ///
    /// - Throws: `CancellationError` if the task was cancelled, even if the source has ended early
    ///   because of that.
    package func forEach(_ body: (ImportBatch) async throws -> Void) async throws {
        try await forEachUnchecked { batch in
            try Task.checkCancellation()
            try await body(batch)
        }
        try Task.checkCancellation()
    }

    private func forEachUnchecked(_ body: (ImportBatch) async throws -> Void) async throws {
        switch source.kind {
        case .values(let values):
            for batch in batches(of: values) { try await body(batch) }
        case .data, .file:
            let feed = try ImportFeed(options, at: keyPath, entity: entity)
            let next = try makePieces()
            while let piece = try next() {
                for batch in try feed.add(piece) { try await body(batch) }
                try feed.check()
            }
            for batch in try feed.finish() { try await body(batch) }
            try feed.check()
        case .pieces(let open):
            let feed = try ImportFeed(options, at: keyPath, entity: entity)
            let stream = open()
            while let piece = try await stream.next(isolation: #isolation) {
                for batch in try feed.add(piece) { try await body(batch) }
                try feed.check()
            }
            // A cancelled stream may simply end, and its content is incomplete then.
            try Task.checkCancellation()
            for batch in try feed.finish() { try await body(batch) }
            try feed.check()
        }
    }

    /// Calls a closure with each batch, without awaiting anything.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a source that must be awaited.
    package func forEachNow(_ body: (ImportBatch) throws -> Void) throws {
        if case .values(let values) = source.kind {
            for batch in batches(of: values) { try body(batch) }
            return
        }
        if case .pieces = source.kind {
            throw RecordStackError(
                .misuse,
                "A source that arrives in time cannot be waited for. Await importJSON instead.")
        }
        let feed = try ImportFeed(options, at: keyPath, entity: entity)
        let next = try makePieces()
        while let piece = try next() {
            for batch in try feed.add(piece) { try body(batch) }
            try feed.check()
        }
        for batch in try feed.finish() { try body(batch) }
        try feed.check()
    }

    private func batches(of values: [ImportValue]) -> [ImportBatch] {
        stride(from: 0, to: values.count, by: options.batchSize).map { first in
            let rows = values[first..<min(first + options.batchSize, values.count)]
            return ImportBatch(rows: .values(rows), firstRow: first, bytes: 0)
        }
    }

    /// Returns a function that returns the pieces of the data or of the file.
    private func makePieces() throws -> () throws -> [UInt8]? {
        if let file { return { try file.next() } }
        guard case .data(let data) = source.kind else { return { nil } }
        var offset = 0
        return {
            let end = min(offset + Self.pieceSize, data.count)
            if offset == end { return nil }
            defer { offset = end }
            return [UInt8](data[data.startIndex + offset..<data.startIndex + end])
        }
    }

    private static var pieceSize: Int { 1 << 20 }
}

/// The combined result of the batches of an import.
package struct ImportTally {
    private let totalBytes: Int?
    private let totalRows: Int?
    private let progress: ((ImportProgress) -> Void)?
    package private(set) var report = ImportReport()
    /// The objects that have rows, if they are recorded.
    package private(set) var seen = SeenObjects()
    /// References to keys that no object has had yet.
    private var waiting = ForwardReferences()
    /// The state that the next batch needs from the earlier ones.
    package private(set) var state = ImportState()

    package init(
        of batches: ImportBatches, progress: ((ImportProgress) -> Void)?
    ) {
        totalBytes = batches.totalBytes
        totalRows = batches.totalRows
        self.progress = progress
    }

    package mutating func add(_ outcome: ImportPlan.Outcome, of batch: ImportBatch) {
        report.add(outcome.report)
        seen.formUnion(outcome.seen)
        add(outcome.waiting, superseding: outcome.supersededLocations)
        state.unfinished = outcome.unfinished
        progress?(
            ImportProgress(
                rows: report.rows, bytes: batch.bytes, totalBytes: totalBytes,
                totalRows: totalRows))
    }

    private mutating func add(
        _ others: ForwardReferences, superseding locations: Set<ForwardReference.Location>
    ) {
        waiting.remove(at: locations)
        state.waitingLocations.subtract(locations)
        waiting.append(others)
        state.waitingLocations.formUnion(others.locations)
    }

    /// The parts in which the waiting references are looked up again at the end.
    package var waitingParts: [ForwardReferences] { waiting.parts(of: Self.linksSavedTogether) }

    private static var linksSavedTogether: Int { 5_000 }

    /// Adds the result of linking such a part.
    package mutating func add(_ outcome: ImportPlan.Outcome) {
        add(deletion: outcome.report)
        seen.formUnion(outcome.seen)
    }

    /// Adds what was deleted at the end, and the problems of earlier rows that were reported then.
    package mutating func add(deletion report: ImportReport) {
        self.report.add(report)
        self.report.problems.sort { $0.row < $1.row }
    }
}
