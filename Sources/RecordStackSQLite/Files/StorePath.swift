import RecordStackModel
import RecordStackPlatform

/// The canonical path of a store's file.
enum StorePath {
    /// The largest length in bytes. SQLite's own limit is 512, including the suffix of the log.
    static var mostBytes: Int { 500 }

    /// Returns the path without links, `.` and `..`, so that the log is beside the file itself.
    ///
    /// The folder must exist, but the file need not.
    static func resolve(_ path: String) throws -> String {
        if path.isEmpty || path.utf8.contains(0) {
            throw RecordStackError(
                .cannotOpen,
                "The path of the store is empty or has a NUL. Give it the name of a file.")
        }
        if path.utf8.last == UInt8(ascii: "/") {
            throw cannotOpen(
                path, "a path that ends with a slash names a folder", "Give it the name of a file.")
        }
        let resolved = try isThere(path) ? file(path) : folderAndName(path)
        if resolved.utf8.count > mostBytes { throw unusable(path, .nameTooLong) }
        return resolved
    }

    private static func isThere(_ path: String) throws -> Bool {
        do throws(SystemError) {
            _ = try FileStatus(of: path, followsLinks: false)
            return true
        } catch {
            if error == .notFound { return false }
            throw unusable(path, error)
        }
    }

    private static func file(_ path: String) throws -> String {
        do throws(SystemError) {
            return try FileSystem.resolve(path)
        } catch {
            throw error == .notFound
                ? cannotOpen(
                    path, "it is a link to a file that does not exist",
                    "Make the link lead to a store, or remove it.") : unusable(path, error)
        }
    }

    private static func folderAndName(_ path: String) throws -> String {
        // The search is by bytes, because Swift merges a slash and a combining mark after it into
        // one character.
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { path[path.utf8.index(after: $0)...] } ?? path[...]
        let folder = slash.map { String(path[..<$0]) } ?? "."
        let real: String
        do throws(SystemError) {
            real = try FileSystem.resolve(folder.isEmpty ? "/" : folder)
        } catch {
            throw error == .notFound
                ? cannotOpen(
                    path, "the folder \(folder) does not exist",
                    folder.hasPrefix("~")
                        ? "Write the whole path: only a shell expands ~." : "Make the folder first."
                )
                : unusable(path, error)
        }
        return real == "/" ? "/\(name)" : "\(real)/\(name)"
    }

    private static func unusable(_ path: String, _ reason: SystemError) -> RecordStackError {
        switch reason {
        case .accessDenied:
            cannotOpen(
                path, "the permission to look into its folder is missing",
                "Grant it, or choose another folder.")
        case .notADirectory:
            cannotOpen(path, "what should be its folder is a file", "Choose another path.")
        case .nameTooLong:
            cannotOpen(
                path, "the path is too long, SQLite takes up to \(mostBytes) bytes",
                "Choose a shorter one.")
        case .tooManyLinks:
            cannotOpen(path, "its links lead in a circle", "Choose another path.")
        default:
            cannotOpen(
                path, "the system says “\(reason.message)”",
                "Choose another path.")
        }
    }

    static func cannotOpen(
        _ path: String, _ reason: String, _ remedy: String
    ) -> RecordStackError {
        RecordStackError(.cannotOpen, "The store at \(path) cannot be opened: \(reason). \(remedy)")
    }

    /// Returns a file path as a URI, for options that SQLite accepts only in a URI.
    ///
    /// Characters with a meaning in URIs are escaped; all other bytes stay as they are.
    static func immutableURI(of path: String) -> String {
        let escaped = path.utf8.map { byte -> String in
            switch byte {
            case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "%"), 0x80...:
                "%" + String(byte, radix: 16, uppercase: true)
            default: String(UnicodeScalar(byte))
            }
        }
        return "file://\(escaped.joined())?immutable=1"
    }
}
