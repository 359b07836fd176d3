import Foundation

/// A program with its arguments, ready to be started many times.
final class Command {
    private let path: String
    private let arguments: [UnsafeMutablePointer<CChar>?]
    private let environment: [UnsafeMutablePointer<CChar>?]

    /// Prepares a program.
    ///
    /// - Parameter environment: variables that are added to this program's environment
    ///   or override it.
    init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) {
        self.path = path
        self.arguments = ([path] + arguments).map { strdup($0) } + [nil]
        let whole = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        self.environment = whole.map { strdup("\($0.key)=\($0.value)") } + [nil]
    }

    deinit {
        for text in arguments + environment { free(text) }
    }

    /// Returns the path of a program beside this one.
    static func path(of program: String) throws -> String {
        let path = Bundle.main.executableURL?.resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent(program).path
        guard let path, FileManager.default.isExecutableFile(atPath: path) else {
            throw Failure(
                "\(program) is not beside this program. Build the whole package: "
                    + "swift build -c release --package-path Examples/Benchmarks")
        }
        return path
    }

    /// Starts the program, waits until it ends, and returns its standard output.
    func output() throws -> String {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Self.failure("a pipe", errno) }
        defer { close(ends[0]) }
        let child: pid_t
        do {
            defer { close(ends[1]) }
            child = try start(writingTo: ends[1], closing: ends)
        }
        let text = Self.read(ends[0])
        let status = try Self.wait(for: child)
        guard status == 0 else { throw Failure("\(path) ended with \(status): \(text)") }
        return text
    }

    private func start(writingTo output: Int32, closing ends: [Int32]) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        for end in ends { posix_spawn_file_actions_addclose(&actions, end) }
        var child: pid_t = 0
        let code = posix_spawn(&child, path, &actions, nil, arguments, environment)
        guard code == 0 else { throw Self.failure(path, code) }
        return child
    }

    private static func read(_ descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1_024)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }

    /// Returns the exit status of the program: 0 for success.
    private static func wait(for child: pid_t) throws -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { throw failure("waiting", errno) }
        }
        // The exit status is in the bits above the number of the signal that may have
        // ended the program.
        return status >> 8 != 0 ? status >> 8 : status
    }

    private static func failure(_ what: String, _ code: Int32) -> Failure {
        Failure("\(what): \(String(cString: strerror(code)))")
    }
}
