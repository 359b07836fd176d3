package import RecordStack
import RecordStackModel

/// The file that the processes share.
package enum CounterFile {
    package static let counters = 8

    package static func open(_ path: String) throws -> ContextStack {
        var options = StoreOptions()
        // Forces a checkpoint now and then, while the other processes save.
        options.checkpointPages = 200
        return try ContextStack(
            entities: [Counter.self, Beat.self], at: .file(path), options: options)
    }

    /// Creates the objects that the processes increment.
    package static func fill(_ stack: ContextStack, processes: Int) throws {
        try stack.saveWithBlockAndWait { context in
            for number in 0..<counters { try Counter.create(in: context, number: number) }
            for process in 0..<processes { try Beat.create(in: context, process: process) }
        }
    }
}
