struct W23: Workload {
    let id = "W23"

    func what(_ scale: Scale) -> String {
        "read and write a property in the entity's module, and in another one (other)"
    }

    func unit(_ scale: Scale) -> Unit { .nanoseconds }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let data = PlayerData(lab.data)
        let inside = try await OurPlayers(data)
        let other = try await OtherModulePlayers(data)
        let floor = FloorPlayers(data)
        return Access.allCases.map { access in
            Comparison(
                run(access, inside, lab, data), against: run(access, floor, lab, data),
                label: access.rawValue, gate: access.gate, moonshot: access.moonshot)
        }
            + Access.allCases.map { access in
                Comparison(
                    run(access, other, lab, data), against: run(access, floor, lab, data),
                    label: "\(access.rawValue), other", gate: access.gateOfOther)
            }
    }

    private func run<Side: AccessSide>(
        _ access: Access, _ side: Side, _ lab: Lab, _ data: PlayerData
    ) -> any Contender {
        AccessRun(
            access, side, name: "\(Side.self), \(access.rawValue)", data: data,
            rounds: lab.scale.persons / (access.isToOne ? 50 : 10))
    }

    // Plain objects are the only floor, so there are no peers to compare.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint { PlayerData(lab.data).fingerprint }
}

extension Access {
    /// Whether the access is of a to-one relationship, which takes longer and runs fewer times.
    fileprivate var isToOne: Bool { self == .readToOne || self == .writeToOne }

    fileprivate var gate: Double {
        switch self {
        case .readInt: 4
        case .readString: 2
        case .readToOne: 12
        case .writeInt, .writeString, .writeToOne: 3
        }
    }

    /// The gate for access from another module.
    fileprivate var gateOfOther: Double? {
        switch self {
        case .readInt, .readString: 1.5
        case .readToOne, .writeInt, .writeString, .writeToOne: nil
        }
    }

    fileprivate var moonshot: Double? {
        switch self {
        case .readInt: 2.5
        case .readString: 1.5
        case .readToOne: 10
        case .writeInt, .writeString, .writeToOne: nil
        }
    }
}
