struct W9: Workload {
    let id = "W9"

    func what(_ scale: Scale) -> String {
        "change one attribute of \(Scale.short(scale.changed)) objects, save"
    }

    func unit(_ scale: Scale) -> Unit { .milliseconds }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let change = VisitChange(lab)
        let ours = try await lab.ours.update(change)
        return [
            Comparison(
                ours, against: try FloorUpdate(lab, change), gate: 1.5, moonshot: 1.15)
        ]
    }

    // There is only one floor, so there are no peers to compare.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint { VisitChange(lab).fingerprint }
}

/// The change: a new number of visits for the first tenth of the persons.
///
/// These persons are neighbors in the file.
struct VisitChange: Sendable {
    let count: Int
    /// The values that a run sets, in the order of the keys.
    let visits: [Int]
    /// The values that are set before each run, so that every run changes every value.
    let visitsBefore: [Int]
    /// The fingerprint of the file after a run.
    let fingerprint: Fingerprint

    init(_ lab: Lab) {
        count = lab.scale.changed
        let changed = lab.data.persons.prefix(count)
        visits = changed.map { $0.visits + 2 }
        visitsBefore = changed.map { $0.visits + 1 }
        var rows = lab.data.persons
        for index in 0..<count { rows[index].visits += 2 }
        fingerprint = Fingerprint(of: rows)
    }
}
