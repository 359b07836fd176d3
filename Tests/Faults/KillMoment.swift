import TestSupport

/// When a program is killed.
struct KillMoment {
    /// Counted from when the ledger was open, or else from the program's start.
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

/// What a killed program had done.
struct KillResult {
    let acknowledged: Int
    let logBytes: Int
}
