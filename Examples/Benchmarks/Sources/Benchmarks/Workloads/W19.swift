import RecordStack

struct W19: Workload {
    let id = "W19"

    func what(_ scale: Scale) -> String {
        "main actor stall (p99.9) while \(scale.name) are imported, flat and with what they lead to"
    }

    func unit(_ scale: Scale) -> Unit { .microseconds(each: 1) }

    var remark: String? {
        "How late a beat of the main actor, one each millisecond, has fetched ten objects. Beside C: the same beat "
            + "while parsed rows are upserted by hand into another file."
    }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        [try await flat(lab), try await nested(lab)]
    }

    /// Returns the comparison with J1.
    private func flat(_ lab: Lab) async throws -> Comparison {
        let path = lab.directory.path("beat-ours.sqlite")
        try await lab.ours.makeStore(at: path)
        let stack = try lab.ours.stack(at: path)
        let heartbeat = Heartbeat(stack: stack, beats: lab.scale.beats) {
            try Person.find(limit: $0, in: $1).count
        }
        let floor = lab.directory.path("beat-floor.sqlite")
        try PersonSchema.makeStore(at: floor, lab.data, filled: true)
        let rows = [lab.visitedRows, lab.data.persons]
        return Comparison(
            OurBeat("ours", heartbeat, [lab.visitedJSON, lab.personJSON]) {
                _ = try Person.importJSON($0, in: $1)
            } stored: {
                try StoredRows.fingerprint(of: path)
            },
            against: FloorBeat("C import", heartbeat, turns: rows.count) {
                try RawPersonUpserts(path: floor, rows, autocheckpoint: 1_000)
            } stored: {
                try StoredRows.fingerprint(of: floor)
            }, gate: 2, moonshot: 1.2)
    }

    /// Returns the comparison with J2.
    private func nested(_ lab: Lab) async throws -> Comparison {
        let path = lab.directory.path("beat-nested.sqlite")
        let stack = try Nested.stack(at: path)
        _ = try await Nested.load(lab.nestedJSON, into: stack)
        let heartbeat = Heartbeat(stack: stack, beats: lab.scale.beats) {
            try Nested.Person.find(limit: $0, in: $1).count
        }
        let floor = lab.directory.path("beat-nested-floor.sqlite")
        try GraphSchema.makeStore(at: floor, lab.graph)
        let graphs = [lab.graph.visited, lab.graph]
        return Comparison(
            OurBeat(
                "ours, nested", heartbeat,
                [NestedJSON.text(of: lab.graph.visited), lab.nestedJSON]
            ) {
                _ = try Nested.Person.importJSON($0, in: $1)
            } stored: {
                try StoredRows.nestedFingerprint(of: path)
            },
            against: FloorBeat("C import, nested", heartbeat, turns: graphs.count) {
                try RawGraphUpserts(path: floor, graphs, autocheckpoint: 1_000)
            } stored: {
                try StoredRows.nestedFingerprint(of: floor)
            }, gate: 2, moonshot: 1.2)
    }

    // Both heartbeats run in a stack of RecordStack, so there are no peers to compare.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }
}
