import Foundation

/// A program that is started with a store and a unique text, finds the row and prints its text.
final class ProgramRun: Contender {
    let name: String
    private let command: Command
    private let person: PersonRow

    /// - Parameters:
    ///   - program: what stands beside the benchmarks.
    ///   - person: whom it is to find.
    init(name: String, program: String, arguments: [String], finding person: PersonRow) throws {
        self.name = name
        self.person = person
        command = try Command(Self.path(of: program), arguments)
    }

    private static func path(of program: String) throws -> String {
        let path = Bundle.main.executableURL?.resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent(program).path
        guard let path, FileManager.default.isExecutableFile(atPath: path) else {
            throw Failure(
                "\(program) is not beside this program. Build the whole package: "
                    + "swift build -c release --package-path Examples/Benchmarks")
        }
        return path
    }

    /// A start takes some milliseconds, and now and then twice as many: the median of a few.
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
