import RecordStack

extension Ours {
    /// Creates, saves and drops objects in batches.
    ///
    /// The figures are the bytes in use at the end, and after the tenth batch of the same run.
    func batches(_ scale: Scale) throws -> (end: any Contender, early: any Contender) {
        let runs = try BatchRuns(directory: directory, scale: scale)
        return (
            BatchFigure(name: "ours", runs, \.end),
            BatchFigure(name: "after batch 10", runs, \.early)
        )
    }
}

/// One of the two figures of a run.
private final class BatchFigure: Contender {
    let name: String
    private let runs: BatchRuns
    private let figure: KeyPath<HeapBatches.Figures, Int>
    private var seen = 0

    init(name: String, _ runs: BatchRuns, _ figure: KeyPath<HeapBatches.Figures, Int>) {
        self.name = name
        self.runs = runs
        self.figure = figure
    }

    func run() async throws { _ = try await measure() }

    /// Returns the bytes. The first request runs the batches, and both figures come from that run.
    func measure() async throws -> Double {
        try catchUp()
        return Double(runs.figures[keyPath: figure])
    }

    func fingerprint() async throws -> Fingerprint {
        try catchUp()
        return runs.fingerprint
    }

    private func catchUp() throws {
        if seen == runs.count { try runs.run() }
        seen += 1
    }
}

/// Starts this program again for each run, as ``HeapBatches``.
///
/// The environment tells the allocator, when a program begins, to cache no freed memory for the
/// thread that freed it. Such memory would count as in use.
private final class BatchRuns {
    private let directory: WorkDirectory
    private let path: String
    private let command: Command
    private(set) var count = 0
    private(set) var figures = HeapBatches.Figures()
    private(set) var fingerprint = Fingerprint()

    init(directory: WorkDirectory, scale: Scale) throws {
        self.directory = directory
        path = directory.path("batches.sqlite")
        let option =
            switch scale.persons {
            case Scale.check.persons: ["--check"]
            case Scale.quick.persons: ["--quick"]
            default: [String]()
            }
        command = Command(
            try Command.path(of: "Benchmarks"), ["--batches", path] + option,
            environment: ["GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"])
    }

    func run() throws {
        let output = try command.output()
        guard let figures = HeapBatches.Figures(output) else {
            throw Failure("the batches printed \(output)")
        }
        self.figures = figures
        // The content of the file is the same in every run.
        if count == 0 { fingerprint = try StoredRows.fingerprint(of: path) }
        directory.removeStore(path)
        count += 1
    }
}
