import Foundation
import RecordStack
import Synchronization

/// The same heartbeat while the same rows, parsed beforehand, are written into another file by hand.
final class FloorBeat: Contender {
    let name = "C import"
    private let stack: ContextStack
    private let beats: Int
    private let rows: [[PersonRow]]
    private let path: String

    init(_ stack: ContextStack, _ lab: Lab) throws {
        self.stack = stack
        beats = lab.scale.beats
        rows = [lab.visitedRows, lab.data.persons]
        path = lab.directory.path("beat-floor.sqlite")
        try PersonSchema.makeStore(at: path, lab.data, filled: true)
    }

    func run() async throws { _ = try await measure() }

    func measure() async throws -> Double {
        let writer = ThreadOfUpserts(path: path, rows: rows)
        let stall = try await Heartbeat.stall(stack, beats: beats)
        try await writer.end()
        return stall
    }

    func fingerprint() throws -> Fingerprint {
        let upserts = try RawUpserts(path: path, autocheckpoint: 1_000)
        for rows in rows { try upserts.save(rows) }
        return try StoredRows.fingerprint(of: path)
    }
}

/// Writes rows again and again on a thread of its own, until it is told to end.
private final class ThreadOfUpserts: Sendable {
    private struct State {
        var isToEnd = false
        var ended: CheckedContinuation<Void, any Error>?
        var result: Result<Void, any Error>?
    }

    private let state = Mutex(State())

    init(path: String, rows: [[PersonRow]]) {
        Thread.detachNewThread { [self] in
            let result = Result { try write(rows, to: path) }
            let waiting = state.withLock { state in
                state.result = result
                return state.ended
            }
            waiting?.resume(with: result)
        }
    }

    private func write(_ rows: [[PersonRow]], to path: String) throws {
        let upserts = try RawUpserts(path: path, autocheckpoint: 1_000)
        var place = 0
        while !state.withLock(\.isToEnd) {
            try upserts.save(rows[place % rows.count])
            place += 1
        }
    }

    func end() async throws {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state in
                state.isToEnd = true
                state.ended = continuation
                return state.result
            }
            if let result { continuation.resume(with: result) }
        }
    }
}
