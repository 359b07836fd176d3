import Dispatch
import Synchronization

/// The queues on which a coordinator uses its store.
final class StoreQueues: Sendable {
    /// Writes, one save after another. Nothing on this queue waits for anything but the store.
    let writer = DispatchQueue(label: "RecordStack.writer")
    /// Reads for contexts whose own threads should not read.
    let readers = DispatchQueue(label: "RecordStack.readers", attributes: .concurrent)
    /// Prepares checkpoints while saves run.
    let checkpointQueue = DispatchQueue(label: "RecordStack.checkpoints")
    let isCheckpointing = Atomic(false)
}

/// The state of a coordinator's watch for saves of other stacks on the file.
final class RemoteWatch: Sendable {
    /// True if the writer is going to look for remote saves.
    let isToLook = Atomic(false)
    /// How far the stack is from watching for remote saves.
    let remoteUse = Atomic(PersistentStoreCoordinator.RemoteUse.none)
}
