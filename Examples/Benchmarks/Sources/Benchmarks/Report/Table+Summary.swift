extension Table {
    /// Returns the number of gates and moonshots that were reached, and the names of the others.
    static func summary(_ results: [WorkloadResult]) -> [String] {
        summary("Gates", results, \.gate) + summary("Moonshots", results, \.moonshot)
    }

    private static func summary(
        _ title: String, _ results: [WorkloadResult], _ mark: (Outcome) -> Outcome.Mark?
    ) -> [String] {
        let marked = results.flatMap { result in
            result.outcomes.compactMap { outcome in
                mark(outcome).map { (result.id, outcome, $0) }
            }
        }
        let missed = marked.filter { !$0.2.isReached }
        return ["\(title): \(marked.count - missed.count) of \(marked.count) reached."]
            + missed.flatMap { id, outcome, mark in
                let found = "\(ratio(outcome.ratio)) × \(outcome.label)"
                return wrap("  missed: \(id) \(found), not ≤ \(limit(mark))")
            }
    }
}
