import FaultVFS
import Glibc

/// A disk that fails when it is told to. Stores on it are real files.
final class FaultyDisk: Sendable {
    // Its calls take a lock of its own, and it ends with the last that holds on to it.
    nonisolated(unsafe) private let disk = fault_disk_make()!

    deinit { fault_disk_end(disk) }

    /// What stores are opened with to be on the disk.
    var name: String { String(cString: fault_disk_name(disk)) }

    /// How many calls have failed since the disk was broken.
    var failures: Int { Int(fault_disk_failures(disk)) }

    func arm(_ fault: Fault) {
        fault_disk_break(
            disk, fault.call.rawValue, Int32(fault.number), fault.reason.rawValue,
            fault.lasts ? fault.reason.lasting | fault.call.bit : 0, fault.part.rawValue)
    }

    func mend() { fault_disk_mend(disk) }

    /// How often a body makes each call.
    func count(_ body: () throws -> Void) rethrows -> [DiskCall: Int] {
        fault_disk_begin_count(disk)
        try body()
        return Dictionary(
            uniqueKeysWithValues: DiskCall.allCases.map {
                ($0, Int(fault_disk_calls(disk, $0.rawValue)))
            })
    }

    /// The log's index is as a process leaves it that is killed while it writes it: the next reader
    /// makes it anew from what is in the log.
    func spoilIndex() { fault_disk_spoil_index(disk) }
}

/// What SQLite asks of a disk.
enum DiskCall: Int32, CaseIterable {
    case read
    /// Of everything but the end of a transaction.
    case write
    /// The one that ends a transaction in the log.
    case lastWrite
    case sync, truncate, fileSize, mapIndex, lockIndex, open, delete, access
    /// What SQLite tells the disk after a commit, when everybody can see it already.
    case committed

    var bit: UInt32 { 1 << UInt32(rawValue) }
}

/// One call that fails.
struct Fault: CustomStringConvertible {
    enum Reason: CaseIterable {
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
    enum Part: Int32, CaseIterable {
        case none, quarter, half, threeQuarters, whole
    }

    var call: DiskCall
    /// Which call of its kind, from 1.
    var number: Int
    var reason = Reason.inputOutput
    /// Whether the disk fails from then on, until it is mended.
    var lasts = false
    var part = Part.none

    var description: String {
        "\(call) \(number): \(reason)\(lasts ? ", lasting" : "")\(part == .none ? "" : ", \(part)")"
    }

    /// Every way in which a call can fail.
    static func all(_ call: DiskCall, number: Int) -> [Fault] {
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
