#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The process that runs the code.
package enum CurrentProcess {
    package static var id: Int32 { getpid() }

    /// Whether a process with this ID exists, under any user.
    package static func isRunning(_ id: Int32) -> Bool {
        kill(id, 0) == 0 || errno != ESRCH
    }

    /// Registers a function to call when the process ends by `exit` or by returning from `main`.
    package static func atExit(_ call: @escaping @convention(c) () -> Void) { _ = atexit(call) }

    /// The kernel's list of the process's memory mappings (proc(5)); empty on other systems.
    package static var memoryMaps: String {
        #if canImport(Glibc) && !PortablePlatform
            guard let file = try? OpenFile("/proc/self/maps", .reading) else { return "" }
            var (bytes, part) = ([UInt8](), [UInt8](repeating: 0, count: 16_384))
            // The kernel reports no size for this file, so Foundation would read only
            // its first part.
            while let count = part.withUnsafeMutableBytes({ try? file.read(into: $0) }), count > 0 {
                bytes += part[..<count]
            }
            return String(decoding: bytes, as: UTF8.self)
        #else
            return ""
        #endif
    }
}

/// The environment variables of the process.
package enum Environment {
    package static subscript(name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
