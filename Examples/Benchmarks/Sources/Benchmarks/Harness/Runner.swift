/// Measures the workloads in sequence.
struct Runner {
    let lab: Lab
    let options: Options
    private let progress = ProgressLine()

    init(lab: Lab, options: Options) {
        self.lab = lab
        self.options = options
    }

    /// Measures all workloads. Returns the results, and whether every workload ran and agreed.
    ///
    /// A workload that fails is reported on standard error, and the next one runs.
    func run(_ report: (WorkloadResult) -> Void) async -> ([WorkloadResult], complete: Bool) {
        var results: [WorkloadResult] = []
        let isComplete = await forEachWorkload { workload in
            let result = try await measure(workload)
            progress.clear()
            guard let result else { return complainOfNoPeers(workload) }
            results.append(result)
            report(result)
        }
        return (results, isComplete)
    }

    /// Compares the results of every workload and measures nothing.
    ///
    /// Each side runs once more, because the measured code may differ from the code whose
    /// results are compared.
    ///
    /// - Returns: true if every workload ran and agreed.
    func check(_ report: (any Workload) -> Void) async -> Bool {
        await forEachWorkload { workload in
            let isCompared = try await prepare(workload) != nil
            progress.clear()
            if isCompared { report(workload) } else { complainOfNoPeers(workload) }
        }
    }

    private func complainOfNoPeers(_ workload: any Workload) {
        ProgressLine.complain("\(workload.id): there are no two peers to compare.")
    }

    private func forEachWorkload(_ body: (any Workload) async throws -> Void) async -> Bool {
        var isComplete = true
        for workload in options.workloads {
            do { try await body(workload) } catch {
                progress.clear()
                isComplete = false
                ProgressLine.complain("\(workload.id): \(error)")
            }
        }
        return isComplete
    }

    /// Returns the sides, whose results agree and whose caches are warm; nil without a comparison.
    private func prepare(_ workload: any Workload) async throws -> Pairing? {
        progress.show("\(workload.id)  preparing", isStage: true)
        let comparisons = try await comparisons(of: workload)
        if comparisons.isEmpty { return nil }
        progress.show("\(workload.id)  checking results", isStage: true)
        try await check(comparisons, expecting: try workload.expected(lab))
        progress.show("\(workload.id)  warming up", isStage: true)
        let pairing = Pairing(comparisons: comparisons)
        try await pairing.warmUp()
        return pairing
    }

    /// Measures a workload. Returns nil if it has no comparison.
    private func measure(_ workload: any Workload) async throws -> WorkloadResult? {
        guard var pairing = try await prepare(workload) else { return nil }
        let times = options.quick ? 1 : workload.patience
        for block in 0..<options.blocks * times {
            progress.show("\(workload.id)  pair \(block * 2 + 1) of \(options.pairs * times)")
            try await pairing.measure(block: block)
        }
        return WorkloadResult(
            workload: workload, scale: lab.scale, amongPeers: options.peersOnly, pairing: pairing)
    }

    /// Runs only RecordStack's side, repeatedly.
    func profile(runs: Int) async throws {
        for workload in options.workloads {
            guard let ours = try await workload.comparisons(lab).first?.candidate else { continue }
            for _ in 0..<runs { _ = try await ours.measure() }
        }
    }

    private func comparisons(of workload: any Workload) async throws -> [Comparison] {
        guard options.peersOnly else { return try await workload.comparisons(lab) }
        let peers = try workload.peers(lab)
        return peers.dropFirst().map { Comparison($0, against: peers[0], label: $0.name) }
    }

    /// Checks that every contender has the result that the generated rows require.
    private func check(
        _ comparisons: [Comparison], expecting expected: Fingerprint
    ) async throws {
        var wrong: [String] = []
        for contender in comparisons.contenders {
            let fingerprint = try await contender.fingerprint()
            if fingerprint != expected { wrong.append("\(contender.name) \(fingerprint)") }
        }
        guard wrong.isEmpty else {
            throw Failure(
                "results differ: \(wrong.joined(separator: ", ")); expected \(expected)")
        }
    }
}
