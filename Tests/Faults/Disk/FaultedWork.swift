import RecordStack
import RecordStackModel
import SaveLoopLedger

/// What is under way when the disk fails.
enum FaultedWork: CaseIterable {
    /// A store that is not there is opened.
    case making
    /// A store is opened that has a log, because another stack has it open.
    case opening
    /// A store is opened that was closed.
    case reopening
    /// The first objects are created, which leases keys.
    case leasing
    /// The first save of a stack.
    case firstSave
    case save
    case durableSave
    /// A save that does not fit into the cache.
    case largeSave
    /// A save and the checkpoint that follows it.
    case checkpoint
    /// The same with a log that has become long, which is cut off.
    case longCheckpoint
    /// The stack is closed, which writes the log back.
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

    /// Whether a stack is closed at its end.
    var closes: Bool { [.making, .opening, .reopening, .closing].contains(self) }

    /// How many entries the save has.
    var entries: Int { self == .largeSave ? 100 : 4 }

    var saveOptions: SaveOptions { self == .durableSave ? .durable : [] }

    /// How many saves came before.
    var savesBefore: Int {
        switch self {
        case .making, .leasing, .firstSave: 0
        default: 2
        }
    }
}
