import Dispatch
import Synchronization

/// The queues on which a coordinator's store is used.
final class StoreQueues: Sendable {
    /// Writes everything, one save after another. Nothing that runs here waits for anything but the store.
    let writer = DispatchQueue(label: "RecordStack.root")
    /// Reads what the thread of a context should not read.
    let readers = DispatchQueue(label: "RecordStack.readers", attributes: .concurrent)
    /// Prepares checkpoints, beside the saves.
    let checkpointQueue = DispatchQueue(label: "RecordStack.tidying")
    let isCheckpointing = Atomic(false)
}

/// How a coordinator hears of what other stacks on the file save.
final class RemoteWatch: Sendable {
    /// True if the writer is going to look for what others have saved.
    let isToLook = Atomic(false)
    /// How far the stack is from hearing of it.
    let remoteUse = Atomic(PersistentStoreCoordinator.RemoteUse.none)
}
