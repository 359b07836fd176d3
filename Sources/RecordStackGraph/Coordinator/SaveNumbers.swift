import RecordStackModel
import Synchronization

/// Numbers the saves of a coordinator, and tracks the save on which the writer works.
final class SaveNumbers: Sendable {
    /// Distinguishes this coordinator's save tokens from those of all others.
    let author = UInt64.random(in: .min ... .max)
    private let tokens = Atomic<UInt64>(0)
    /// The number of the save on which the writer works; `UInt64.max` between two saves.
    private let saveInProgress = Atomic(UInt64.max)
    /// True while the writer prepares, writes or finishes a save.
    let isSaving = Atomic(false)

    /// Returns the token of the save that begins now. Call ``endSave()`` when it has ended.
    func nextToken() -> SaveToken {
        let number = tokens.add(1, ordering: .relaxed).oldValue
        saveInProgress.store(number, ordering: .releasing)
        return SaveToken(author: author, number: number)
    }

    /// Ends the save that ``nextToken()`` began.
    ///
    /// If the save is committed and not in doubt, its commit must be in the log before this call.
    func endSave() { saveInProgress.store(.max, ordering: .releasing) }

    /// Whether the writer works on a save, which may be committed and not in the log yet.
    func isInProgress(_ number: UInt64) -> Bool {
        saveInProgress.load(ordering: .acquiring) == number
    }
}
