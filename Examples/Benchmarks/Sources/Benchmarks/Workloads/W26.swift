struct W26: Workload {
    let id = "W26"

    func what(_ scale: Scale) -> String {
        "find or create by a unique key and set one attribute, \(Scale.short(scale.sought)) rows in one block: new; stored"
    }

    func unit(_ scale: Scale) -> Unit { .microseconds(each: 1) }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        try [false, true].flatMap { isStored in
            let kind = isStored ? "stored" : "new"
            let many = FindOrCreate(lab: lab, rows: lab.scale.sought, isStored: isStored)
            let few = FindOrCreate(
                lab: lab, rows: min(1_000, lab.scale.sought / 10), isStored: isStored)
            let ours = try many.ours()
            let raw = many.raw()
            return [
                Comparison(
                    ours, against: raw, label: "\(kind): \(raw.name)", gate: 3, moonshot: 1.5),
                Comparison(
                    ours, against: try few.ours(times: 10), label: "\(kind): per row of 1k",
                    gate: 1.3),
                Comparison(ours, against: many.grdb(), label: "\(kind): GRDB"),
            ]
        }
    }

    // New rows and stored rows are different work, so there are no peers to compare.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint { Fingerprint() }
}
