struct W12: Workload {
    let id = "W12"

    func what(_ scale: Scale) -> String {
        "walk \(Scale.short(scale.persons)) rows in pages of \(PageWalk.size)"
    }

    func unit(_ scale: Scale) -> Unit { .microseconds(each: scale.persons / PageWalk.size) }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let stack = try await lab.ours.filledStack()
        let byKey = OurPagesByKey(stack, lab)
        let last = try OurOnePage(stack, lab, .last)
        return [
            Comparison(
                OurPagesByNumber(stack, lab), against: try RawPagesByNumber(lab),
                label: "by number: raw", gate: 1.4, moonshot: 1.15),
            Comparison(
                byKey, against: try RawPagesByKey(lab), label: "by key: raw", gate: 1.4,
                moonshot: 1.15),
            Comparison(
                last, against: try OurOnePage(stack, lab, .first), label: "last: first page",
                gate: 1.2),
        ]
    }

    // Pages by number and pages by key are different work, so there are no peers to compare.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }
}

/// A walk through all persons in the order of their unique text.
enum PageWalk {
    static let size = 100
}
