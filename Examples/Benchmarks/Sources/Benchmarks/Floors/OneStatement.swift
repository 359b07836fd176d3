/// The peer of a number of statements: the number 1.
final class OneStatement: Contender {
    let name = "one statement"
    private let expected: Fingerprint

    /// Creates the peer.
    ///
    /// - Parameter expected: the result of the work whose statements are counted.
    init(_ expected: Fingerprint) {
        self.expected = expected
    }

    func run() {}
    func measure() -> Double { 1 }
    func fingerprint() -> Fingerprint { expected }
}
