import Foundation
import RecordStack

/// The main actor's heartbeat while J1 is imported again and again in save blocks, every row changed each time.
final class OurBeat: Contender {
    let name = "ours"
    private let stack: ContextStack
    private let beats: Int
    private let texts: [Data]

    init(_ stack: ContextStack, _ lab: Lab) {
        self.stack = stack
        beats = lab.scale.beats
        texts = [PersonJSON.text(of: lab.visitedRows), lab.personJSON]
    }

    func run() async throws { _ = try await measure() }

    func measure() async throws -> Double {
        let importing = Task.detached { [stack, texts] in
            var place = 0
            while !Task.isCancelled {
                let text = texts[place % texts.count]
                place += 1
                try await stack.saveWithBlock { _ = try Person.importJSON(text, in: $0) }
            }
        }
        let stall = try await Heartbeat.stall(stack, beats: beats)
        importing.cancel()
        do { try await importing.value } catch is CancellationError {}
        return stall
    }

    func fingerprint() async throws -> Fingerprint {
        for text in texts {
            try await stack.saveWithBlock { _ = try Person.importJSON(text, in: $0) }
        }
        return Fingerprint(of: try Person.find(in: stack.newContext()))
    }
}
