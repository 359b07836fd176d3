import Foundation

/// The directory of the program's files, which lives as long as the program.
struct WorkDirectory: Sendable {
    let url: URL

    /// - Parameter parent: where it is made; by default a place for temporary files that is not
    ///   likely to be kept in memory, so that the system's calls cost what they cost on a disk.
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

    /// Copies a store's file that nobody has open, and that has no log.
    func copyStore(_ path: String, to copy: String) throws {
        removeStore(copy)
        try FileManager.default.copyItem(atPath: path, toPath: copy)
    }

    /// Removes a store's file, its log and its index of the log.
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
