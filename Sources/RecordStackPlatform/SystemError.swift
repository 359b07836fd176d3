#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The reason why a call of the operating system failed.
package struct SystemError: Error, Equatable {
    /// The number in `errno`.
    package let code: Int32

    package init(code: Int32) { self.code = code }

    /// The reason for the last failure on this thread, valid until the next system call.
    package static var last: SystemError { SystemError(code: errno) }

    package static var notFound: SystemError { SystemError(code: ENOENT) }
    package static var alreadyExists: SystemError { SystemError(code: EEXIST) }
    package static var accessDenied: SystemError { SystemError(code: EACCES) }
    package static var notADirectory: SystemError { SystemError(code: ENOTDIR) }
    package static var nameTooLong: SystemError { SystemError(code: ENAMETOOLONG) }
    package static var tooManyLinks: SystemError { SystemError(code: ELOOP) }
    package static var notSupported: SystemError { SystemError(code: EINVAL) }
    static var interrupted: SystemError { SystemError(code: EINTR) }

    /// Whether the file system has no space left or the user's quota is used up.
    package var isOfFullDisk: Bool { code == ENOSPC || code == EDQUOT }

    /// Whether the user or the file system does not allow the change.
    package var isOfPermission: Bool { code == EACCES || code == EPERM || code == EROFS }

    /// The system's text for the reason.
    package var message: String { String(cString: strerror(code)) }
}
