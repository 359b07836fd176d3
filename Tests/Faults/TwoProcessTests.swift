import CounterFile
import Foundation
import RecordStack
import TestSupport
import Testing

/// Processes that save to one file and merge each other's saves.
@Suite("Processes on one file", .serialized) struct TwoProcessTests {
    /// Runs for two seconds, or for a minute with RECORDSTACK_FULL.
    @Test func `two processes saving 100 times a second see each other's saves`() throws {
        let isFull = ProcessInfo.processInfo.environment["RECORDSTACK_FULL"] != nil
        let seconds = isFull ? 60 : 2
        let run = try CounterRun(processes: 2, seconds: seconds, savesPerSecond: 100)
        print("two processes: \(run)")
        #expect(run.counted == run.saves.reduce(0, +), "an update was lost")
        #expect(run.conflicts > 0, "conflicts that never come about prove nothing")
        #expect(run.problems == [["ok"]])
        #expect(run.unseen == 0)
        if isFull {
            #expect(run.saves == [100 * seconds, 100 * seconds])
            #expect(run.delay(of: 99) < 0.2)
        }
    }

    @Test func `four processes saving at full speed lose no update`() throws {
        let run = try CounterRun(processes: 4, seconds: 1, savesPerSecond: 2_000)
        print("four processes: \(run)")
        #expect(run.counted == run.saves.reduce(0, +), "an update was lost")
        #expect(run.problems == [["ok"]])
        #expect(run.unseen == 0)
    }
}

/// The results of processes that increment the same counters.
struct CounterRun: CustomStringConvertible {
    /// The number of saves of each process.
    private(set) var saves: [Int] = []
    private(set) var conflicts = 0
    /// The sum of the counters. Each save increments one of them.
    private(set) var counted = 0
    /// The result of SQLite's own check of the file.
    private(set) var problems: [[String]] = []
    /// The number of pairs in which one process never saw the last save of the other.
    private(set) var unseen = 0
    private var processorMilliseconds: [Int] = []
    /// The time from before each save until each other process saw it.
    private var delays: [Int] = []

    init(processes: Int, seconds: Int, savesPerSecond: Int) throws {
        let folder = try TemporaryFolder("counters")
        let path = folder.file("counters.sqlite")
        let stack = try CounterFile.open(path)
        try CounterFile.fill(stack, processes: processes)
        try stack.close()
        let start = Int(DispatchTime.now().uptimeNanoseconds) + 700_000_000
        let children = try (0..<processes).map {
            try ChildProgram(
                "CountLoop",
                [path, String($0), String(start), String(seconds), String(savesPerSecond)])
        }
        var outputs: [[String: String]] = []
        // Waits for all of them, whatever happens: exit tests cannot end while a child is unreaped.
        let endings = children.map { ($0.remainingLines(), $0.wait()) }
        for (lines, ending) in endings {
            try #require(ending.status == 0, "\(ending): \(lines)")
            outputs.append(
                Dictionary(
                    lines.map { line in
                        let words = line.split(separator: " ", maxSplits: 1)
                        return (String(words[0]), words.count > 1 ? String(words[1]) : "")
                    }, uniquingKeysWith: { $1 }))
        }
        try read(outputs)
        let program = try ForeignProgram(path: path)
        problems = try program.rows("PRAGMA integrity_check")
        counted = try #require(Int(try program.rows("SELECT sum(count) FROM Counter")[0][0]))
    }

    private mutating func read(_ outputs: [[String: String]]) throws {
        var seen: [Int: [[Moment]]] = [:]
        for output in outputs {
            conflicts += try #require(output["conflicts"].flatMap { Int($0) })
            processorMilliseconds.append(try #require(output["processor"].flatMap { Int($0) }))
            let moments = try Moment.list(output["seen"])
            for (process, moments) in Dictionary(grouping: moments, by: \.process) {
                seen[process, default: []].append(moments)
            }
        }
        for (process, output) in outputs.enumerated() {
            let own = try Moment.list(output["saved"])
            saves.append(own.count)
            unseen += outputs.count - 1 - seen[process, default: []].count
            for moments in seen[process, default: []] { add(own, seen: moments) }
        }
        delays.sort()
    }

    /// Adds the delays of the saves. A process has seen a save once it shows that save or a later
    /// one of the same process.
    private mutating func add(_ saves: [Moment], seen: [Moment]) {
        var place = 0
        for save in saves {
            while place < seen.count && seen[place].number < save.number { place += 1 }
            if place == seen.count {
                unseen += 1
                return
            }
            delays.append(seen[place].time - save.time)
        }
    }

    /// Returns the time in seconds within which a percentage of the saves were seen.
    func delay(of percent: Int) -> Double {
        delays.isEmpty ? .infinity : Double(delays[(delays.count - 1) * percent / 100]) / 1e9
    }

    var description: String {
        let times = [50, 99, 100].map { percent in
            "\(percent) % in \(String(format: "%.1f", delay(of: percent) * 1_000)) ms"
        }
        return "\(saves) saves, \(conflicts) conflicts; seen by the others: "
            + "\(times.joined(separator: ", ")); processor time \(processorMilliseconds) ms"
    }
}

private struct Moment {
    let process: Int
    let number: Int
    let time: Int

    static func list(_ text: String?) throws -> [Moment] {
        try #require(text).split(separator: " ").map { word in
            let numbers = word.split(separator: ":").compactMap { Int($0) }
            try #require(numbers.count == 3)
            return Moment(process: numbers[0], number: numbers[1], time: numbers[2])
        }
    }
}
