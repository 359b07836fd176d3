import Glibc
import RecordStackModel

/// The one name of a file that may have several.
enum StorePath {
    /// SQLite's own limit is 512 bytes, with what it appends for the log.
    static var mostBytes: Int { 500 }

    /// The path without links, `.` and `..`, so that the log lies beside the file itself.
    ///
    /// The file need not be there, its folder must.
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
        var last = stat()
        let isThere = lstat(path, &last) == 0
        if !isThere && errno != ENOENT { throw unusable(path, errno) }
        let resolved: String
        if isThere {
            guard let real = real(path) else {
                let reason = errno
                throw reason == ENOENT
                    ? cannotOpen(
                        path, "it is a link to a file that does not exist",
                        "Make the link lead to a store, or remove it.") : unusable(path, reason)
            }
            resolved = real
        } else {
            resolved = try folderAndName(path)
        }
        if resolved.utf8.count > mostBytes { throw unusable(path, ENAMETOOLONG) }
        return resolved
    }

    private static func folderAndName(_ path: String) throws -> String {
        // Among the bytes: before a combining mark a slash is another character.
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { path[path.utf8.index(after: $0)...] } ?? path[...]
        let folder = slash.map { String(path[..<$0]) } ?? "."
        guard let real = real(folder.isEmpty ? "/" : folder) else {
            let reason = errno
            throw reason == ENOENT
                ? cannotOpen(
                    path, "the folder \(folder) does not exist",
                    folder.hasPrefix("~")
                        ? "Write the whole path: only a shell expands ~." : "Make the folder first."
                )
                : unusable(path, reason)
        }
        return real == "/" ? "/\(name)" : "\(real)/\(name)"
    }

    private static func real(_ path: String) -> String? {
        let real = realpath(path, nil)
        defer { free(real) }
        return real.map { String(cString: $0) }
    }

    private static func unusable(_ path: String, _ reason: Int32) -> RecordStackError {
        switch reason {
        case EACCES:
            cannotOpen(
                path, "the permission to look into its folder is missing",
                "Grant it, or choose another folder.")
        case ENOTDIR:
            cannotOpen(path, "what should be its folder is a file", "Choose another path.")
        case ENAMETOOLONG:
            cannotOpen(
                path, "the path is too long, SQLite takes up to \(mostBytes) bytes",
                "Choose a shorter one.")
        case ELOOP:
            cannotOpen(path, "its links lead in a circle", "Choose another path.")
        default:
            cannotOpen(
                path, "the system says “\(String(cString: strerror(reason)))”",
                "Choose another path.")
        }
    }

    static func cannotOpen(
        _ path: String, _ reason: String, _ remedy: String
    ) -> RecordStackError {
        RecordStackError(.cannotOpen, "The store at \(path) cannot be opened: \(reason). \(remedy)")
    }

    /// Says that a file path is a URI, for what cannot be said otherwise. Characters that mean
    /// something in a URI are escaped; everything else may stand as it is.
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
