#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// File system calls that need no open file.
package enum FileSystem {
    package struct Permissions: OptionSet, Sendable {
        package let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }

        package static let read = Permissions(rawValue: R_OK)
        package static let write = Permissions(rawValue: W_OK)
        /// Permission to reach the files in a directory.
        package static let search = Permissions(rawValue: X_OK)
    }

    /// Whether there is a file at a path.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Whether the process has all of the permissions for a file.
    package static func allows(_ permissions: Permissions, _ path: String) -> Bool {
        access(path, permissions.rawValue) == 0
    }

    /// Removes a name of a file. Removing the last name deletes the file.
    package static func remove(_ path: String) throws(SystemError) {
        if unlink(path) != 0 { throw .last }
    }

    /// Renames a file atomically, and replaces a file that has the new name.
    package static func move(_ path: String, to new: String) throws(SystemError) {
        if rename(path, new) != 0 { throw .last }
    }

    /// Gives a file a second name, which must not exist yet.
    package static func link(_ path: String, as new: String) throws(SystemError) {
        #if canImport(Glibc)
            let code = Glibc.link(path, new)
        #elseif canImport(Musl)
            let code = Musl.link(path, new)
        #else
            let code = Darwin.link(path, new)
        #endif
        if code != 0 { throw .last }
    }

    /// Returns the absolute path without symbolic links, `.` and `..`.
    package static func resolve(_ path: String) throws(SystemError) -> String {
        guard let real = realpath(path, nil) else { throw .last }
        defer { free(real) }
        return String(cString: real)
    }
}
