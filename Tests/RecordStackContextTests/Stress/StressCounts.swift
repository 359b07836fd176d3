import Synchronization

/// Counts of the work that the threads of a stress test have done.
final class StressCounts: Sendable {
    private struct State {
        var done: [StressStep.Kind: Int] = [:]
        var refused: [String: Int] = [:]
        var unexpected: [String] = []
        var promised = 0
        var completed = 0
        var tallies: [Int: Int] = [:]
    }

    private let state = Mutex(State())

    func note(_ kind: StressStep.Kind) { state.withLock { $0.done[kind, default: 0] += 1 } }

    func noteRefusal(_ code: String) { state.withLock { $0.refused[code, default: 0] += 1 } }

    func noteUnexpected(_ error: any Error) {
        state.withLock { if $0.unexpected.count < 10 { $0.unexpected.append("\(error)") } }
    }

    func promise() { state.withLock { $0.promised += 1 } }

    func complete() { state.withLock { $0.completed += 1 } }

    func tally(_ worker: Int) { state.withLock { $0.tallies[worker, default: 0] += 1 } }

    var unexpected: [String] { state.withLock { $0.unexpected } }
    var done: [StressStep.Kind: Int] { state.withLock { $0.done } }
    var completions: (promised: Int, called: Int) {
        state.withLock { ($0.promised, $0.completed) }
    }
    var tallies: [Int: Int] { state.withLock { $0.tallies } }

    var description: String {
        state.withLock { state in
            let kinds = StressStep.Kind.allCases.map { "\($0) \(state.done[$0, default: 0])" }
            let refusals = state.refused.sorted { $0.key < $1.key }.map { "\($0) \($1)" }
            return (kinds + refusals).joined(separator: ", ")
        }
    }
}
