import Dispatch
import Synchronization
import TestSupport

/// Opens a gate once: when `open()` is called, or after a delay.
final class GateOpener: Sendable {
    private let gate: Gate
    private let isOpen = Atomic(false)

    init(_ gate: Gate) { self.gate = gate }

    func open() {
        if !isOpen.exchange(true, ordering: .relaxed) { gate.open() }
    }

    func open(after time: DispatchTimeInterval) {
        DispatchQueue.global().asyncAfter(deadline: .now() + time) { self.open() }
    }
}
