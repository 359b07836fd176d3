import Foundation
import RecordStack
import TestSupport

/// A copy of the recorded store file in a separate folder. Some of its rows were deleted and
/// re-inserted.
struct ReinsertedFile {
    static let entities: [ManagedObject.Type] = [Keepsake.self, Drawer.self]
    /// The names of the rows, with the number of re-insertions of each.
    static let returns = ["plain": 0, "edited": 0, "once": 1, "onceEdited": 1, "twice": 2]
    private static let original = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appending(path: "Recorded/reinserted.sqlite")

    let path: String
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("reinserted")
        path = folder.file("store.sqlite")
        try FileManager.default.copyItem(atPath: Self.original.path, toPath: path)
    }

    func open(interval: Double? = 0.001) throws -> ContextStack {
        var options = StoreOptions()
        options.remoteSaveInterval = interval
        options.watching.warnsAtExit = false
        let folder = folder
        options.onEnd = { _ = folder }
        return try ContextStack(entities: Self.entities, at: .file(path), options: options)
    }

    /// Deletes a row, and re-inserts it by saving another context's edit over the deletion.
    static func reinsert(_ name: String, _ stack: ContextStack) throws {
        let context = stack.newContext()
        try Keepsake.findFirst(by: \.name, name, in: context)?.worth += 1
        try stack.saveWithBlockAndWait { context in
            try Keepsake.findFirst(by: \.name, name, in: context)?.delete()
        }
        try context.saveAndWait(mergePolicy: .objectTrump)
    }
}
