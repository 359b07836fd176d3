import Foundation
import RecordStack
import TestSupport

/// A copy of the committed store file, in a folder of its own. Some of its rows were deleted and inserted again under their
/// keys.
struct ReinsertedFile {
    static let entities: [ManagedObject.Type] = [Keepsake.self, Drawer.self]
    /// A row's name, and how often it was inserted again.
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

    /// Makes the committed file anew.
    static func record() throws {
        let folder = try TemporaryFolder("reinserted")
        let path = folder.file("store.sqlite")
        let stack = try ContextStack(entities: entities, at: .file(path))
        try stack.saveWithBlockAndWait { context in
            let drawers = try ["left", "right"].map { try Drawer.create(in: context, label: $0) }
            for name in returns.keys.sorted() {
                let keepsake = try Keepsake.create(in: context, name: name)
                (keepsake.worth, keepsake.drawer) = (1, drawers[0])
            }
            try Keepsake.create(in: context, name: "deleted")
        }
        for round in 1...2 {
            for (name, times) in returns where times >= round { try bringBack(name, stack) }
        }
        try stack.saveWithBlockAndWait { context in
            for name in ["edited", "onceEdited"] {
                let keepsake = try Keepsake.findFirst(by: \.name, name, in: context)
                keepsake?.note = "edited"
            }
            try Keepsake.findFirst(by: \.name, "deleted", in: context)?.delete()
        }
        try stack.close()
        try FileManager.default.createDirectory(
            at: original.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(contentsOf: URL(fileURLWithPath: path)).write(to: original)
    }

    /// Deletes a row, and saves another context's edit over the deletion.
    static func bringBack(_ name: String, _ stack: ContextStack) throws {
        let context = stack.newContext()
        try Keepsake.findFirst(by: \.name, name, in: context)?.worth += 1
        try stack.saveWithBlockAndWait { context in
            try Keepsake.findFirst(by: \.name, name, in: context)?.delete()
        }
        try context.saveAndWait(mergePolicy: .objectTrump)
    }
}
