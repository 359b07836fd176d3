/// A program that is started with a store and a unique text, finds the row and prints its text.
final class ProgramRun: Contender {
    let name: String
    private let command: Command
    private let person: PersonRow

    /// Creates a contender.
    ///
    /// - Parameters:
    ///   - program: the name of a program beside the benchmarks.
    ///   - person: the person to find.
    init(name: String, program: String, arguments: [String], finding person: PersonRow) throws {
        self.name = name
        self.person = person
        command = Command(try Command.path(of: program), arguments)
    }

    /// Returns the median of some starts, because a start occasionally takes twice as long.
    func measure() async throws -> Double {
        var times: [Double] = []
        for _ in 0..<15 { times.append(try await time()) }
        return times.sorted()[times.count / 2]
    }

    func run() throws {
        let output = try command.output()
        guard output == person.email + "\n" else { throw Failure("\(name) printed \(output)") }
    }

    func fingerprint() throws -> Fingerprint {
        try run()
        return Fingerprint(of: [person])
    }
}
