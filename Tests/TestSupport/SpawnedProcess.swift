package import Foundation

/// A process that a test has started.
///
/// Foundation's `Process` leaks, so the leak sanitizer reports every test that uses it. It does not
/// report the processor time either.
package struct SpawnedProcess: Sendable {
    package let id: pid_t
    private let end: ProcessEnd

    /// The end of a process.
    package struct Ending: Sendable {
        /// The exit status, or nil if a signal ended the process.
        package let status: Int32?
        /// The signal that ended the process, or nil.
        package let signal: Int32?
        /// The processor time in seconds of the process and of all processes that it started and
        /// waited for.
        package let seconds: Double
    }

    /// Starts a program without input.
    /// - Parameters:
    ///   - output: the file descriptor for its standard output.
    ///   - errors: the file descriptor for its standard error, or nil for this process's.
    ///   - variables: the environment variables that differ from this process's.
    package init(
        _ executable: String, _ arguments: [String], output: Int32, errors: Int32? = nil,
        variables: [String: String] = [:]
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        if let errors { posix_spawn_file_actions_adddup2(&actions, errors, 2) }
        var words = ([executable] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let own = ProcessInfo.processInfo.environment
        var settings =
            own.merging(variables) { $1 }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for setting in settings { free(setting) } }
        var started: pid_t = 0
        let code = posix_spawn(&started, executable, &actions, nil, &words, &settings)
        guard code == 0 else { throw CannotStart(program: executable, reason: code) }
        id = started
        end = ProcessEnd(of: started)
    }

    package struct CannotStart: Error, CustomStringConvertible {
        let program: String
        let reason: Int32
        package var description: String {
            "\(program) cannot be started: \(String(cString: strerror(reason)))"
        }
    }

    /// Kills the process with SIGKILL.
    package func kill() { end.kill() }

    /// Waits until the process has ended.
    package func wait() -> Ending { end.wait() }
}
