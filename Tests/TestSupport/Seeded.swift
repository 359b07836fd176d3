import FoundationEssentials

/// A random number generator that repeats its numbers for the same seed: SplitMix64.
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

    /// Returns a generator with the seed in RECORDSTACK_SEED or a new one. A failing test prints
    /// its seed.
    package static func fromEnvironment() -> Seeded {
        let given = ProcessInfo.processInfo.environment["RECORDSTACK_SEED"].flatMap { UInt64($0) }
        return Seeded(seed: given ?? UInt64.random(in: 0...UInt64.max))
    }

    /// The sequence in RECORDSTACK_SEQUENCE, or nil. A test runs only that sequence. A failing test
    /// prints its sequence.
    package static var givenSequence: UInt64? {
        ProcessInfo.processInfo.environment["RECORDSTACK_SEQUENCE"].flatMap { UInt64($0) }
    }

    /// The two parallel halves of a long random test. As one test, it would delay the suite's end.
    package static let lanes = 0..<2

    /// Returns the generator of a lane. A seed that a lane prints repeats that lane as the first
    /// one.
    package static func fromEnvironment(lane: Int) -> Seeded {
        Seeded(seed: fromEnvironment().seed &+ UInt64(lane))
    }

    /// Returns the number of rounds of a lane. A sanitizer makes a lane ten times as slow, so it
    /// gets fewer rounds, which still reach all of the code.
    package static func laneRounds(_ usual: Int, full: Int) -> Int {
        let sanitizer = ProcessInfo.processInfo.environment["RECORDSTACK_SANITIZER"]
        return rounds(sanitizer == nil ? usual : usual / 8, full: full) / lanes.count
    }

    /// Returns the number of rounds of a random test: RECORDSTACK_ROUNDS if that is set, or else
    /// `full` with RECORDSTACK_FULL and `usual` without.
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
