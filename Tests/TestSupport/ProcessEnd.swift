import Foundation
import Synchronization

/// The end of a process, which a separate thread waits for.
///
/// While a process has ended and nothing has waited for it, an exit test of Swift Testing keeps
/// polling the kernel. If only a later wait reaped the process, the polling would occupy a core.
final class ProcessEnd: Sendable {
    private let id: pid_t
    private let ending = Mutex<SpawnedProcess.Ending?>(nil)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(of id: pid_t) {
        self.id = id
        Thread.detachNewThread { self.follow() }
    }

    /// Kills the process, unless it was reaped: then its ID may belong to another process.
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
