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

/// Counts up counters that the other processes count up as well, from what this process has heard of them,
/// so that a save that does not know of another's is a conflict. Then it gives its change up, reads the
/// counter anew, and counts up what is there.
struct Saver: Sendable {
    let stack: ContextStack
    let own: Int
    let start: Int
    let end: Int
    let pause: Int

    /// For so long it may go on, until the others stop to watch.
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
        // One that comes late is followed by the next at once.
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

    /// - Returns: whether nobody else had changed the counter.
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

/// Sees what the other processes have saved, without asking for it.
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
