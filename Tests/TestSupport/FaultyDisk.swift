import FaultVFS
import Foundation

/// A disk that fails on request. Stores on it are real files.
package final class FaultyDisk: Sendable {
    // The C functions lock, and the disk lives until this object's last reference ends.
    nonisolated(unsafe) private let disk: OpaquePointer

    /// - Parameter syncs: whether a sync waits for the machine's disk. Only a power failure shows
    ///   the difference.
    package init(syncs: Bool = true) { disk = fault_disk_make(syncs ? 1 : 0)! }

    deinit { fault_disk_end(disk) }

    /// The name of the SQLite VFS, with which stores are opened on the disk.
    package var name: String { String(cString: fault_disk_name(disk)) }

    /// The number of calls that have failed since the last `arm(_:)`.
    package var failures: Int { Int(fault_disk_failures(disk)) }

    package func arm(_ fault: Fault) {
        fault_disk_break(
            disk, fault.call.rawValue, Int32(fault.number), fault.reason.rawValue,
            fault.lasts ? fault.reason.lasting | fault.call.bit : 0, fault.part.rawValue)
    }

    package func mend() { fault_disk_mend(disk) }

    /// Pauses each later commit of a connection for a time while all other connections can see it
    /// already.
    package func pauseAfterCommits(microseconds: UInt32) {
        fault_disk_pause_after_commits(disk, microseconds)
    }

    /// Counts the calls of each kind that a body makes.
    package func count(_ body: () throws -> Void) rethrows -> [DiskCall: Int] {
        fault_disk_begin_count(disk)
        try body()
        return Dictionary(
            uniqueKeysWithValues: DiskCall.allCases.map {
                ($0, Int(fault_disk_calls(disk, $0.rawValue)))
            })
    }

    /// Leaves the log's index as a process does that is killed while it writes the index. The next
    /// reader rebuilds the index from the log.
    package func spoilIndex() { fault_disk_spoil_index(disk) }
}

/// A call that SQLite makes on a disk.
package enum DiskCall: Int32, CaseIterable {
    case read
    /// A write that does not end a transaction.
    case write
    /// The write that ends a transaction in the log.
    case lastWrite
    case sync, truncate, fileSize, mapIndex, lockIndex, open, delete, access
    /// The notification that SQLite sends after a commit, when every connection can see the commit.
    case committed

    package var bit: UInt32 { 1 << UInt32(rawValue) }
}

/// One call that fails.
package struct Fault: CustomStringConvertible {
    package enum Reason: CaseIterable {
        case inputOutput, full

        var rawValue: Int32 { self == .full ? ENOSPC : EIO }

        /// The other calls that fail on a disk that stays broken.
        var lasting: UInt32 {
            let calls: [DiskCall] =
                self == .full
                ? [.write, .lastWrite, .sync]
                : [.read, .write, .lastWrite, .sync, .truncate, .fileSize, .open]
            return calls.reduce(0) { $0 | $1.bit }
        }
    }

    /// The part of a write that is done before it fails.
    package enum Part: Int32, CaseIterable {
        case none, quarter, half, threeQuarters, whole
    }

    package var call: DiskCall
    /// The position of the failing call among the calls of its kind, from 1.
    package var number: Int
    package var reason: Reason
    /// True if the disk fails from then on, until `mend()`.
    package var lasts: Bool
    package var part: Part

    package init(
        call: DiskCall, number: Int, reason: Reason = .inputOutput, lasts: Bool = false,
        part: Part = .none
    ) {
        (self.call, self.number, self.reason) = (call, number, reason)
        (self.lasts, self.part) = (lasts, part)
    }

    package var description: String {
        "\(call) \(number): \(reason)\(lasts ? ", lasting" : "")\(part == .none ? "" : ", \(part)")"
    }

    /// Returns every way in which a call can fail.
    package static func all(_ call: DiskCall, number: Int) -> [Fault] {
        let plain = Fault(call: call, number: number)
        var lasting = plain
        lasting.lasts = true
        var full = plain
        full.reason = .full
        var stillFull = full
        stillFull.lasts = true
        switch call {
        case .write, .lastWrite:
            return [lasting, stillFull]
                + Part.allCases.flatMap { part in
                    // A full disk cannot have written everything.
                    (part == .whole ? [plain] : [plain, full]).map {
                        var fault = $0
                        fault.part = part
                        return fault
                    }
                }
        case .sync, .open, .mapIndex: return [plain, lasting, full, stillFull]
        default: return [plain, lasting]
        }
    }
}
