import CounterFile
import Foundation
import RecordStack
import RecordStackModel

func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

func processorMilliseconds() -> Int {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) {
        $0 + $1.tv_sec * 1_000 + $1.tv_usec / 1_000
    }
}

/// Increments counters that other processes increment, too.
///
/// It starts from the values that this process has merged, so a save that misses another process's
/// save is a conflict. After a conflict, it discards its change, reads the counter from the store,
/// and increments that value.
struct Saver: Sendable {
    let stack: ContextStack
    let own: Int
    let start: Int
    let end: Int
    let pause: Int

    /// The time that a late saver may use after the end, because the other processes then stop
    /// watching.
    private static var lateness: Int { 300_000_000 }

    struct Tally: Sendable {
        var saves: [Moment] = []
        var conflicts = 0
    }

    func run() throws -> Tally {
        var tally = Tally()
        let context = stack.newContext(name: "saver")
        let counters = try Counter.find(sortedBy: .ascending(\.number), in: context)
        let beats = try Beat.find(in: context).filter { $0.process == own }
        // A save that comes late is followed by the next save at once.
        var next = start
        while next < end && now() < end + Self.lateness {
            let early = next - now()
            if early > 0 { usleep(UInt32(early / 1_000)) }
            next += pause
            let number = tally.saves.count + 1
            let begun = now()
            let counter = counters[number % counters.count]
            while try !save(counter, beats[0], number, context) { tally.conflicts += 1 }
            tally.saves.append(Moment(process: own, number: number, time: begun))
        }
        return tally
    }

    /// - Returns: true if no other process had changed the counter.
    private func save(
        _ counter: Counter, _ beat: Beat, _ number: Int, _ context: ManagedObjectContext
    ) throws -> Bool {
        counter.count += 1
        beat.number = number
        do {
            try context.saveAndWait()
            return true
        } catch let error as RecordStackError where error.code == .conflict {
            context.rollback()
            try context.refresh(counter, mergingChanges: false)
            return false
        }
    }
}

/// Sees the saves of the other processes without an operation of its context.
@MainActor final class RemoteWatch {
    private let beats: [Beat]
    private var last: [Int: Int] = [:]
    private(set) var seen: [Moment] = []

    init(_ context: ManagedObjectContext, own: Int) throws {
        beats = try Beat.find(in: context).filter { $0.process != own }
    }

    func look() {
        for beat in beats where beat.number != last[beat.process, default: 0] {
            last[beat.process] = beat.number
            seen.append(Moment(process: beat.process, number: beat.number, time: now()))
        }
    }
}
