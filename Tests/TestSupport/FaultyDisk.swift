import FaultVFS
import Foundation

/// A disk that fails when it is told to. Stores on it are real files.
package final class FaultyDisk: Sendable {
    // Its calls take a lock of its own, and it ends with the last that holds on to it.
    nonisolated(unsafe) private let disk: OpaquePointer

    /// - Parameter syncs: whether a sync waits for the machine's disk. Nothing but the end of its power tells.
    package init(syncs: Bool = true) { disk = fault_disk_make(syncs ? 1 : 0)! }

    deinit { fault_disk_end(disk) }

    /// What stores are opened with to be on the disk.
    package var name: String { String(cString: fault_disk_name(disk)) }

    /// How many calls have failed since the disk was broken.
    package var failures: Int { Int(fault_disk_failures(disk)) }

    package func arm(_ fault: Fault) {
        fault_disk_break(
            disk, fault.call.rawValue, Int32(fault.number), fault.reason.rawValue,
            fault.lasts ? fault.reason.lasting | fault.call.bit : 0, fault.part.rawValue)
    }

    package func mend() { fault_disk_mend(disk) }

    /// From now on a connection that has committed stands still for so long while all others can see the commit already.
    package func pauseAfterCommits(microseconds: UInt32) {
        fault_disk_pause_after_commits(disk, microseconds)
    }

    /// How often a body makes each call.
    package func count(_ body: () throws -> Void) rethrows -> [DiskCall: Int] {
        fault_disk_begin_count(disk)
        try body()
        return Dictionary(
            uniqueKeysWithValues: DiskCall.allCases.map {
                ($0, Int(fault_disk_calls(disk, $0.rawValue)))
            })
    }

    /// The log's index is as a process leaves it that is killed while it writes it: the next reader
    /// makes it anew from what is in the log.
    package func spoilIndex() { fault_disk_spoil_index(disk) }
}

/// What SQLite asks of a disk.
package enum DiskCall: Int32, CaseIterable {
    case read
    /// Of everything but the end of a transaction.
    case write
    /// The one that ends a transaction in the log.
    case lastWrite
    case sync, truncate, fileSize, mapIndex, lockIndex, open, delete, access
    /// What SQLite tells the disk after a commit, when everybody can see it already.
    case committed

    package var bit: UInt32 { 1 << UInt32(rawValue) }
}

/// One call that fails.
package struct Fault: CustomStringConvertible {
    package enum Reason: CaseIterable {
        case inputOutput, full

        var rawValue: Int32 { self == .full ? ENOSPC : EIO }

        /// What else fails on a disk that stays so.
        var lasting: UInt32 {
            let calls: [DiskCall] =
                self == .full
                ? [.write, .lastWrite, .sync]
                : [.read, .write, .lastWrite, .sync, .truncate, .fileSize, .open]
            return calls.reduce(0) { $0 | $1.bit }
        }
    }

    /// How much of a write is done before it fails.
    package enum Part: Int32, CaseIterable {
        case none, quarter, half, threeQuarters, whole
    }

    package var call: DiskCall
    /// Which call of its kind, from 1.
    package var number: Int
    package var reason: Reason
    /// Whether the disk fails from then on, until it is mended.
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

    /// Every way in which a call can fail.
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
                    // A disk is full that does not take everything.
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
