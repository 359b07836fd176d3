import Foundation
import Synchronization

/// A store that several threads read while one writes.
protocol Crowd: Sendable {
    var name: String { get }
    /// Returns the work of a reading thread, which returns the number of rows and runs repeatedly.
    func makeReader(seed: UInt64) throws -> () throws -> Int
    /// Returns the work of the writing thread, which runs repeatedly.
    func makeWriter() throws -> () throws -> Void
    /// Returns all rows of the store.
    func rows() throws -> [PersonRow]
}

/// The time of a read or of a write, while readers and a writer are at work.
final class Throng: Contender {
    enum Figure: String, CaseIterable { case read, write }

    let name: String
    private let rush: Rush
    private let figure: Figure

    init(of rush: Rush, _ figure: Figure) {
        name = "\(rush.crowd.name), \(rush.readers), \(figure.rawValue)"
        self.rush = rush
        self.figure = figure
    }

    func run() throws { _ = try rush.run() }
    func measure() async throws -> Double { try rush.nanoseconds(of: figure) }
    func fingerprint() throws -> Fingerprint { Fingerprint(of: try rush.crowd.rows()) }
}

/// A crowd at work.
///
/// One run yields a figure of each kind. A request for the other kind gets the figure
/// of the same run.
final class Rush {
    let crowd: any Crowd
    let readers: Int
    private let seconds: Double
    private var left: [Throng.Figure: [Double]] = [:]

    init(of crowd: any Crowd, readers: Int, seconds: Double) {
        self.crowd = crowd
        self.readers = readers
        self.seconds = seconds
    }

    func nanoseconds(of figure: Throng.Figure) throws -> Double {
        if left[figure, default: []].isEmpty {
            let counts = try run()
            for (kind, count) in [(Throng.Figure.read, counts.reads), (.write, counts.writes)] {
                guard count > 0 else {
                    throw Failure("\(crowd.name): no \(kind.rawValue) was done")
                }
                left[kind, default: []].append(seconds * 1_000_000_000 / Double(count))
            }
        }
        return left[figure, default: []].removeFirst()
    }

    func run() throws -> (reads: Int, writes: Int) {
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

/// The counts of the threads' work.
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
