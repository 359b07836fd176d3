import Foundation
import RecordStack
import Synchronization

/// Code that writes some rows repeatedly, alternating between the original and changed values.
protocol RawSaving: AnyObject {
    func saveNext() throws
}

/// The same heartbeat while hand-written code writes the same parsed rows into another file.
final class FloorBeat: Contender {
    let name: String
    private let heartbeat: Heartbeat
    private let saving: @Sendable () throws -> any RawSaving
    private let turns: Int
    private let stored: () throws -> Fingerprint

    /// Creates a contender.
    ///
    /// - Parameters:
    ///   - turns: the number of saves until the rows have their first values again.
    ///   - saving: creates the code that writes the rows, on the thread that runs it.
    ///   - stored: returns the fingerprint of the file.
    init(
        _ name: String, _ heartbeat: Heartbeat, turns: Int,
        saving: @escaping @Sendable () throws -> any RawSaving,
        stored: @escaping () throws -> Fingerprint
    ) {
        self.name = name
        self.heartbeat = heartbeat
        self.turns = turns
        self.saving = saving
        self.stored = stored
    }

    func run() async throws { _ = try await measure() }

    func measure() async throws -> Double {
        let writer = ThreadOfSaves(saving)
        let stall = try await heartbeat.stall()
        try await writer.end()
        return stall
    }

    func fingerprint() throws -> Fingerprint {
        let saving = try saving()
        for _ in 0..<turns { try saving.saveNext() }
        return try stored()
    }
}

/// Upserts persons without related objects.
final class RawPersonUpserts: RawSaving {
    private let upserts: RawUpserts
    private let rows: [[PersonRow]]
    private var next = 0

    init(path: String, _ rows: [[PersonRow]], autocheckpoint: Int) throws {
        upserts = try RawUpserts(path: path, autocheckpoint: autocheckpoint)
        self.rows = rows
    }

    func saveNext() throws {
        try upserts.save(rows[next % rows.count])
        next += 1
    }
}

/// A thread that writes rows repeatedly until it is stopped.
private final class ThreadOfSaves: Sendable {
    private struct State {
        var isToEnd = false
        var ended: CheckedContinuation<Void, any Error>?
        var result: Result<Void, any Error>?
    }

    private let state = Mutex(State())

    init(_ saving: @escaping @Sendable () throws -> any RawSaving) {
        Thread.detachNewThread { [self] in
            let result = Result { try write(saving()) }
            let waiting = state.withLock { state in
                state.result = result
                return state.ended
            }
            waiting?.resume(with: result)
        }
    }

    private func write(_ saving: any RawSaving) throws {
        while !state.withLock(\.isToEnd) { try saving.saveNext() }
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
