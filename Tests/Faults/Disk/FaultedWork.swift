import RecordStack
import RecordStackModel
import SaveLoopLedger

/// The work that is under way when the disk fails.
enum FaultedWork: CaseIterable {
    /// Opens a store that does not exist.
    case making
    /// Opens a store that has a log, because another stack has it open.
    case opening
    /// Opens a store that was closed.
    case reopening
    /// Creates the first objects, which leases keys.
    case leasing
    /// The first save of a stack.
    case firstSave
    case save
    case durableSave
    /// A save that does not fit into the cache.
    case largeSave
    /// A save and the checkpoint that follows it.
    case checkpoint
    /// A save with a long log, and the checkpoint that truncates the log.
    case longCheckpoint
    /// Closes the stack, which copies the log into the database.
    case closing

    func makeLedger() throws -> FaultedLedger {
        try FaultedLedger { options in
            switch self {
            case .largeSave: options.cacheSize = 40
            case .checkpoint: options.checkpointPages = 8
            case .longCheckpoint: options.checkpointPages = 2
            default: break
            }
        }
    }

    /// True if the work ends with closing a stack.
    var closes: Bool { [.making, .opening, .reopening, .closing].contains(self) }

    /// The number of entries in the save.
    var entries: Int { self == .largeSave ? 100 : 4 }

    var saveOptions: SaveOptions { self == .durableSave ? .durable : [] }

    /// The number of earlier saves.
    var savesBefore: Int {
        switch self {
        case .making, .leasing, .firstSave: 0
        default: 2
        }
    }
}
