import Foundation
import RecordStack

/// The separate program of W21, which creates, saves and drops objects in batches.
///
/// It returns the bytes in use after some of the batches.
struct HeapBatches {
    struct Figures {
        var early = 0
        var end = 0

        init() {}

        /// Reads the text that ``text`` returns.
        init?(_ text: String) {
            let numbers = text.split { $0 == " " || $0 == "\n" }.compactMap { Int($0) }
            guard numbers.count == 2 else { return nil }
            (early, end) = (numbers[0], numbers[1])
        }

        var text: String { "\(early) \(end)" }
    }

    private static let count = 100
    private let data: PersonData
    private let path: String

    /// Creates the batches.
    ///
    /// - Parameter path: the path of the store, which is created and not removed.
    init(scale: Scale, path: String) {
        data = PersonData(scale: scale)
        self.path = path
    }

    func run(objects: Int) async throws -> Figures {
        if FileManager.default.fileExists(atPath: path) {
            throw Failure("\(path) is there already; the batches make a store of their own")
        }
        await Self.fillDispatchCache()
        let size = objects / Self.count
        // Afterwards, the caches of threads are full, and the first batches find them so.
        for _ in 1...5 {
            _ = try await batches(of: size / 5, at: path)
            WorkDirectory.removeStore(path)
        }
        return try await batches(of: size, at: path)
    }

    private func batches(of size: Int, at path: String) async throws -> Figures {
        let before = Heap.bytesInUse
        var figures = Figures()
        // The cache is small, so that SQLite fills it long before the tenth batch.
        let stack = try ContextStack(
            for: Person.self, at: .file(path), options: StoreOptions(cacheSize: 256))
        for batch in 1...Self.count {
            try await save((batch - 1) * size..<batch * size, in: stack)
            if batch == 10 { figures.early = try await Self.settledBytes() - before }
        }
        figures.end = try await Self.settledBytes() - before
        let held = await MainActor.run { stack.defaultContext.registeredObjectCount }
        guard held == 0 else { throw Failure("the default context holds \(held) objects") }
        try stack.close()
        return figures
    }

    /// Fills Dispatch's cache on the main thread.
    ///
    /// Dispatch caches the memory of up to 1,024 hops for each thread at which they arrive.
    private static func fillDispatchCache() async {
        for _ in 0..<4_096 { await Task.detached {}.value }
    }

    /// Returns the bytes in use when all work has ended, as the smallest of some readings.
    ///
    /// The log is written back after a save has returned, and the save's rows live until then.
    private static func settledBytes() async throws -> Int {
        var least = Heap.bytesInUse
        for _ in 0..<20 {
            try await Task.sleep(for: .milliseconds(5))
            least = min(least, Heap.bytesInUse)
        }
        return least
    }

    private func save(_ numbers: Range<Int>, in stack: ContextStack) async throws {
        let data = data
        try await stack.saveWithBlock { context in
            for number in numbers { try Person.insert(data.row(number), in: context) }
        }
        // An operation, as any program would run: with it, the context merges the batch.
        let last = data.row(numbers.upperBound - 1).email
        let count = try await MainActor.run {
            try Person.count(in: stack.defaultContext) { $0.email == last }
        }
        guard count == 1 else { throw Failure("the default context misses \(last)") }
    }
}
