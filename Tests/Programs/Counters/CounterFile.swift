package import RecordStack
import RecordStackModel

/// The file that the processes share.
package enum CounterFile {
    package static let counters = 8

    package static func open(_ path: String) throws -> ContextStack {
        var options = StoreOptions()
        // A checkpoint now and then: it writes the log back while the others save.
        options.checkpointPages = 200
        return try ContextStack(
            entities: [Counter.self, Beat.self], at: .file(path), options: options)
    }

    /// What a process adds with each save: so much that the sum tells how often each has saved, if none does
    /// so more often. Two that change a number from the same value to the same one are not in conflict.
    package static func step(of process: Int) -> Int {
        (0..<process).reduce(1) { step, _ in step * mostSaves }
    }

    package static let mostSaves = 20_000

    /// Makes what the processes count up.
    package static func fill(_ stack: ContextStack, processes: Int) throws {
        try stack.saveWithBlockAndWait { context in
            for number in 0..<counters { try Counter.create(in: context, number: number) }
            for process in 0..<processes { try Beat.create(in: context, process: process) }
        }
    }
}
