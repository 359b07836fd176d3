import RecordStackModel
import Synchronization

/// The paths and the files of the stores that are open in this process.
///
/// Two files must not share a log and its index, and one file must not have two logs. SQLite keeps
/// its locks by process, so it cannot detect that within one process.
final class StoreLocations: Sendable {
    static let shared = StoreLocations()

    private struct Location {
        let path: String
        let identity: FileIdentity
        var count: Int
    }

    private let locations = Mutex<[Location]>([])

    /// Checks that a path can be opened while the other stores are open.
    ///
    /// - Throws: an error if a stack uses the path's log for a file that was renamed, or has opened
    ///   the path's file by another name.
    func check(_ path: String) throws {
        let identity = FileIdentity(path: path)
        let clash = locations.withLock { locations in
            locations.first { ($0.path == path) != ($0.identity == identity) }
        }
        guard let clash else { return }
        let message =
            clash.path == path
            ? "A stack of this process has opened the file that was at \(path) before it was renamed, removed or "
                + "replaced, and still has its log."
            : "A stack of this process has opened the file at \(path) when it was at \(clash.path)."
        throw RecordStackError(
            .storeMoved,
            "\(message) Close that stack, which writes back what it has saved, and open the store again."
        )
    }

    func add(_ path: String, _ identity: FileIdentity) {
        locations.withLock { locations in
            let known = locations.firstIndex { $0.path == path && $0.identity == identity }
            if let known {
                locations[known].count += 1
            } else {
                locations.append(Location(path: path, identity: identity, count: 1))
            }
        }
    }

    func remove(_ path: String, _ identity: FileIdentity) {
        locations.withLock { locations in
            let known = locations.firstIndex { $0.path == path && $0.identity == identity }
            guard let known else { return }
            locations[known].count -= 1
            if locations[known].count == 0 { locations.remove(at: known) }
        }
    }
}
