import Foundation

/// The directory of the program's files, which lives as long as the program.
struct WorkDirectory: Sendable {
    let url: URL

    /// Creates the directory.
    ///
    /// - Parameter parent: the folder of the directory. The default is a folder for temporary files
    ///   that is probably on a disk and not in memory, so that system calls have their usual cost.
    init(under parent: String?) throws {
        let parent = parent.map { URL(fileURLWithPath: $0) } ?? Self.usualParent
        url = parent.appendingPathComponent("benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    private static var usualParent: URL {
        let disk = "/var/tmp"
        return FileManager.default.isWritableFile(atPath: disk)
            ? URL(fileURLWithPath: disk) : FileManager.default.temporaryDirectory
    }

    func path(_ name: String) -> String {
        url.appendingPathComponent(name).path
    }

    /// Copies the file of a store that is not open and has no log.
    func copyStore(_ path: String, to copy: String) throws {
        removeStore(copy)
        try FileManager.default.copyItem(atPath: path, toPath: copy)
    }

    /// Removes a store's file, its log and the log's index.
    func removeStore(_ path: String) { Self.removeStore(path) }

    static func removeStore(_ path: String) {
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
    }

    func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}
