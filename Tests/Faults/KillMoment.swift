import TestSupport

/// The moment at which a program is killed.
struct KillMoment {
    /// True if the time counts from when the ledger was open, false if it counts from the program's
    /// start.
    let isAfterOpening: Bool
    let microseconds: UInt32

    static func random(_ random: inout Seeded) -> KillMoment {
        let isAfterOpening = !random.chance(15)
        return KillMoment(
            isAfterOpening: isAfterOpening,
            microseconds: UInt32.random(in: 0...(isAfterOpening ? 60_000 : 120_000), using: &random)
        )
    }
}

/// The work that a killed program had done.
struct KillResult {
    let acknowledged: Int
    let logBytes: Int
}
