import Foundation
import Synchronization

/// How a process ends, which a thread of its own waits for.
///
/// An exit test of Swift Testing asks the kernel again and again while a process has ended that nobody has waited for:
/// with one that a test would only wait for later, a core was busy with nothing else.
final class ProcessEnd: Sendable {
    private let id: pid_t
    private let ending = Mutex<SpawnedProcess.Ending?>(nil)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(of id: pid_t) {
        self.id = id
        Thread.detachNewThread { self.follow() }
    }

    /// Once it has been waited for, its number may be another process's.
    func kill() {
        ending.withLock { ending in
            if ending == nil { _ = Foundation.kill(id, SIGKILL) }
        }
    }

    func wait() -> SpawnedProcess.Ending {
        hasEnded.wait()
        hasEnded.signal()
        guard let ending = ending.withLock({ $0 }) else {
            preconditionFailure("The end is set before it is signalled.")
        }
        return ending
    }

    private func follow() {
        var info = siginfo_t()
        while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        ending.withLock { $0 = reap() }
        hasEnded.signal()
    }

    private func reap() -> SpawnedProcess.Ending {
        var status: Int32 = 0
        var usage = rusage()
        while wait4(id, &status, 0, &usage) < 0 && errno == EINTR {}
        let signal = status & 0x7F
        return SpawnedProcess.Ending(
            status: signal == 0 ? (status >> 8) & 0xFF : nil, signal: signal == 0 ? nil : signal,
            seconds: Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime))
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
    }
}
