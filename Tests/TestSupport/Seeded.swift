import FoundationEssentials

/// Random numbers that a seed repeats: SplitMix64.
package struct Seeded: RandomNumberGenerator {
    package let seed: UInt64
    private var state: UInt64

    package init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// The seed of RECORDSTACK_SEED, or a new one, which a failing test prints.
    package static func fromEnvironment() -> Seeded {
        let given = ProcessInfo.processInfo.environment["RECORDSTACK_SEED"].flatMap { UInt64($0) }
        return Seeded(seed: given ?? UInt64.random(in: 0...UInt64.max))
    }

    /// The sequence of RECORDSTACK_SEQUENCE, which a failing test prints: it alone is run.
    package static var givenSequence: UInt64? {
        ProcessInfo.processInfo.environment["RECORDSTACK_SEQUENCE"].flatMap { UInt64($0) }
    }

    /// A long random test runs as two, side by side: else a run of the suite ends with waiting for it.
    package static let lanes = 0..<2

    /// The seed of one of the lanes. The one that it prints repeats it as the first lane.
    package static func fromEnvironment(lane: Int) -> Seeded {
        Seeded(seed: fromEnvironment().seed &+ UInt64(lane))
    }

    /// How often one of the lanes goes round. A sanitizer, which makes it ten times as slow, meets all of the code in
    /// fewer.
    package static func laneRounds(_ usual: Int, full: Int) -> Int {
        let sanitizer = ProcessInfo.processInfo.environment["RECORDSTACK_SANITIZER"]
        return rounds(sanitizer == nil ? usual : usual / 8, full: full) / lanes.count
    }

    /// How often a random test goes round: more with RECORDSTACK_FULL, as many as
    /// RECORDSTACK_ROUNDS says.
    package static func rounds(_ usual: Int, full: Int) -> Int {
        let environment = ProcessInfo.processInfo.environment
        if let rounds = environment["RECORDSTACK_ROUNDS"].flatMap({ Int($0) }) { return rounds }
        return environment["RECORDSTACK_FULL"] == nil ? usual : full
    }

    package mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

    package mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < percent
    }
}
