import RecordStack

/// Counts the persons in a range, and checks whether there are any.
final class OurCounts: Contender {
    let name = "ours"
    private let question: CountQuestion
    private let ranges: [TextRange]
    private let context: ManagedObjectContext

    init(_ stack: ContextStack, _ lab: Lab, _ question: CountQuestion) {
        self.question = question
        ranges = TextRange.all(lab)
        context = stack.newContext()
    }

    private func count(_ range: TextRange) throws -> Int {
        try Person.count(in: context) { $0.email >= range.lower && $0.email < range.upper }
    }

    private func exists(_ range: TextRange) throws -> Bool {
        try Person.exists(in: context) { $0.email >= range.lower && $0.email < range.upper }
    }

    func run() throws {
        var (sum, hits) = (0, 0)
        for range in ranges {
            if question.counts { sum += try count(range) }
            if question.asksWhether, try exists(range) { hits += 1 }
        }
        guard sum > 0 || hits == ranges.count else { throw Failure("ours found nothing") }
    }

    func fingerprint() throws -> Fingerprint {
        Fingerprint(ofAnswers: try ranges.map { (try count($0), try exists($0)) })
    }
}
