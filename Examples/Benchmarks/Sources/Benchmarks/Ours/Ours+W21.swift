import RecordStack

extension Ours {
    /// Makes, saves and drops objects in batches: what is in use at the end, and what was after the
    /// tenth batch of the same run.
    func batches(of objects: Int) -> (end: any Contender, early: any Contender) {
        let batches = OurBatches(data: data, directory: directory, objects: objects)
        return (
            BatchFigure(name: "ours", batches, \.end),
            BatchFigure(name: "after batch 10", batches, \.early)
        )
    }
}

/// One of the two figures of a run.
private final class BatchFigure: Contender {
    let name: String
    private let batches: OurBatches
    private let figure: KeyPath<OurBatches.Figures, Int>
    private var seen = 0

    init(name: String, _ batches: OurBatches, _ figure: KeyPath<OurBatches.Figures, Int>) {
        self.name = name
        self.batches = batches
        self.figure = figure
    }

    func run() async throws { _ = try await measure() }

    /// Bytes. Whoever asks first runs the batches, and the other has the figure of the same run.
    func measure() async throws -> Double {
        if seen == batches.runs { try await batches.run() }
        seen += 1
        return Double(batches.figures[keyPath: figure])
    }

    func fingerprint() async throws -> Fingerprint {
        if seen == batches.runs { try await batches.run() }
        seen += 1
        return batches.fingerprint
    }
}

private final class OurBatches {
    struct Figures {
        var early = 0
        var end = 0
    }

    private static let count = 100
    private let data: PersonData
    private let directory: WorkDirectory
    private let path: String
    private let size: Int
    private(set) var runs = 0
    private(set) var figures = Figures()
    private(set) var fingerprint = Fingerprint()

    init(data: PersonData, directory: WorkDirectory, objects: Int) {
        self.data = data
        self.directory = directory
        path = directory.path("batches.sqlite")
        size = objects / Self.count
    }

    func run() async throws {
        if runs == 0 { await Self.fillDispatchCache() }
        let before = Heap.bytesInUse
        // So small that SQLite has filled its memory long before the tenth batch.
        let stack = try ContextStack(
            for: Person.self, at: .file(path), options: StoreOptions(cacheSize: 256))
        for batch in 1...Self.count {
            try await save(batch, in: stack)
            if batch == 10 { figures.early = try await Self.settledBytes() - before }
        }
        figures.end = try await Self.settledBytes() - before
        let held = await MainActor.run { stack.defaultContext.registeredObjectCount }
        guard held == 0 else { throw Failure("the default context holds \(held) objects") }
        try stack.close()
        // What is in the file does not change from run to run.
        if runs == 0 { fingerprint = try StoredRows.fingerprint(of: path) }
        directory.removeStore(path)
        runs += 1
    }

    /// Dispatch keeps the memory of up to 1,024 hops for each thread that they arrive at: let the main
    /// thread have it beforehand.
    private static func fillDispatchCache() async {
        for _ in 0..<4_096 { await Task.detached {}.value }
    }

    /// The bytes in use when nothing is under way any more: the least of some readings, because the
    /// log is written back after the save has returned, and the save's rows live as long.
    private static func settledBytes() async throws -> Int {
        var least = Heap.bytesInUse
        for _ in 0..<20 {
            try await Task.sleep(for: .milliseconds(5))
            least = min(least, Heap.bytesInUse)
        }
        return least
    }

    private func save(_ batch: Int, in stack: ContextStack) async throws {
        let (data, numbers) = (data, (batch - 1) * size..<batch * size)
        try await stack.saveWithBlock { context in
            for number in numbers { try Person.insert(data.row(number), in: context) }
        }
        // An operation, as programs have them all the time: the context takes in the batch.
        let last = data.row(numbers.upperBound - 1).email
        let count = try await MainActor.run {
            try Person.count(in: stack.defaultContext) { $0.email == last }
        }
        guard count == 1 else { throw Failure("the default context misses \(last)") }
    }
}
