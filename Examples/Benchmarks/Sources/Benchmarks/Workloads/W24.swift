struct W24: Workload {
    let id = "W24"

    func what(_ scale: Scale) -> String {
        "fetch 1 % of \(scale.name) by a filter, with an index and without"
    }

    func unit(_ scale: Scale) -> Unit { .microseconds(each: HundredthFilter.rounds) }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let stack = try await lab.ours.filledStack()
        return try HundredthFilter.Kind.allCases.map { kind in
            Comparison(
                OurFilteredFetch(stack, lab, kind), against: try RawFilteredFetch(lab, kind),
                label: "\(kind.rawValue): raw", gate: 1.3, moonshot: 1.1)
        }
    }

    // Fetches with and without an index are different work, so there are no peers to compare.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint {
        let filter = HundredthFilter(lab)
        return Fingerprint(
            of: lab.data.persons.filter {
                $0.email.utf8.lexicographicallyPrecedes(filter.textLimit.utf8)
            } + lab.data.persons.filter { $0.visits < filter.visitLimit })
    }
}

/// The filter for a hundredth of the persons.
///
/// They are those with the smallest texts, which have an index, or those with the fewest visits,
/// which have no index.
struct HundredthFilter: Sendable {
    enum Kind: String, CaseIterable {
        case indexed, scanned
    }

    /// The number of fetches in a run.
    static let rounds = 10

    let textLimit: String
    let visitLimit: Int

    init(_ lab: Lab) {
        let place = lab.scale.persons / 100
        textLimit =
            lab.data.persons.map(\.email).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }[
                place]
        visitLimit = lab.data.persons.map(\.visits).sorted()[place]
    }
}
