import Foundation
import Synchronization

/// A store that several threads read while one writes.
protocol Crowd: Sendable {
    var name: String { get }
    /// What a reading thread does over and over: how many rows it has got.
    func makeReader(seed: UInt64) throws -> () throws -> Int
    /// What the writing thread does over and over.
    func makeWriter() throws -> () throws -> Void
    /// All that is in the store.
    func rows() throws -> [PersonRow]
}

/// The time of a read or of a write, while readers and a writer are at work for a while.
final class Throng: Contender {
    enum Figure: String, CaseIterable { case read, write }

    let name: String
    private let crowd: any Crowd
    private let readers: Int
    private let figure: Figure
    private let seconds: Double

    init(of crowd: any Crowd, readers: Int, _ figure: Figure, seconds: Double) {
        name = "\(crowd.name), \(readers), \(figure.rawValue)"
        self.crowd = crowd
        self.readers = readers
        self.figure = figure
        self.seconds = seconds
    }

    func run() throws { _ = try rush() }

    func measure() async throws -> Double {
        let counts = try rush()
        let count = figure == .read ? counts.reads : counts.writes
        guard count > 0 else { throw Failure("\(name): nothing was done") }
        return seconds * 1_000_000_000 / Double(count)
    }

    func fingerprint() throws -> Fingerprint { Fingerprint(of: try crowd.rows()) }

    private func rush() throws -> (reads: Int, writes: Int) {
        let tally = Tally()
        let crowd = crowd
        let ended = DispatchGroup()
        let end = ContinuousClock().now + .seconds(seconds)
        for place in 0..<readers {
            ended.enter()
            tally.onThread(until: end, ended, \.reads) {
                let read = try crowd.makeReader(seed: UInt64(place))
                return {
                    let count = try read()
                    if count != EmailWindows.width { throw Failure("read \(count) rows") }
                }
            }
        }
        ended.enter()
        tally.onThread(until: end, ended, \.writes) { try crowd.makeWriter() }
        ended.wait()
        return try tally.total()
    }
}

/// What threads have done.
private final class Tally: Sendable {
    struct Counts {
        var reads = 0
        var writes = 0
        var error: (any Error)?
    }

    private let counts = Mutex(Counts())

    func total() throws -> (reads: Int, writes: Int) {
        let counts = counts.withLock { $0 }
        if let error = counts.error { throw error }
        return (counts.reads, counts.writes)
    }

    func onThread(
        until end: ContinuousClock.Instant, _ ended: DispatchGroup,
        _ count: any WritableKeyPath<Counts, Int> & Sendable,
        _ make: @escaping @Sendable () throws -> () throws -> Void
    ) {
        Thread.detachNewThread { [self] in
            defer { ended.leave() }
            do {
                let work = try make()
                let clock = ContinuousClock()
                var done = 0
                while clock.now < end {
                    try work()
                    done += 1
                }
                counts.withLock { [done] in $0[keyPath: count] += done }
            } catch {
                counts.withLock { $0.error = error }
            }
        }
    }
}
