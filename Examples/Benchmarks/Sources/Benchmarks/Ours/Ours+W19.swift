import Foundation
import RecordStack

/// The main actor's heartbeat while two texts are imported alternately in save blocks.
///
/// Each import changes every person.
final class OurBeat: Contender {
    let name: String
    private let heartbeat: Heartbeat
    private let texts: [Data]
    private let load: @Sendable (Data, ManagedObjectContext) throws -> Void
    private let stored: () throws -> Fingerprint

    /// Creates a contender.
    ///
    /// - Parameter stored: returns the fingerprint of the persons' file.
    init(
        _ name: String, _ heartbeat: Heartbeat, _ texts: [Data],
        load: @escaping @Sendable (Data, ManagedObjectContext) throws -> Void,
        stored: @escaping () throws -> Fingerprint
    ) {
        self.name = name
        self.heartbeat = heartbeat
        self.texts = texts
        self.load = load
        self.stored = stored
    }

    func run() async throws { _ = try await measure() }

    func measure() async throws -> Double {
        let importing = Task.detached { [stack = heartbeat.stack, texts, load] in
            var place = 0
            while !Task.isCancelled {
                let text = texts[place % texts.count]
                place += 1
                try await stack.saveWithBlock { try load(text, $0) }
            }
        }
        let stall = try await heartbeat.stall()
        importing.cancel()
        do { try await importing.value } catch is CancellationError {}
        return stall
    }

    func fingerprint() async throws -> Fingerprint {
        for text in texts {
            try await heartbeat.stack.saveWithBlock { [load] in try load(text, $0) }
        }
        return try stored()
    }
}
