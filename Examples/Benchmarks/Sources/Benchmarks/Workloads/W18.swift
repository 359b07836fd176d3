import RecordStack

struct W18: Workload {
    let id = "W18"

    func what(_ scale: Scale) -> String {
        "insert \(scale.name) in a child of the default context, saved to the store"
    }

    func unit(_ scale: Scale) -> Unit { .milliseconds }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        [
            Comparison(
                lab.ours.insertInChild(under: .savingRoot),
                against: lab.ours.insertInChild(under: .parentChild), gate: 1.02, moonshot: 1.005)
        ]
    }

    var patience: Int { 4 }

    var remark: String? { "Four times as many pairs, because the gate is so close to 1." }

    // RecordStack is compared with itself.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }
}
