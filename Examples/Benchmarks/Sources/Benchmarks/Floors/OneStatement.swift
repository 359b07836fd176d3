/// What a number of statements is held against.
final class OneStatement: Contender {
    let name = "one statement"
    private let expected: Fingerprint

    /// - Parameter expected: what the work comes to whose statements are counted.
    init(_ expected: Fingerprint) {
        self.expected = expected
    }

    func run() {}
    func measure() -> Double { 1 }
    func fingerprint() -> Fingerprint { expected }
}
