#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The thread that runs the code.
package enum CurrentThread {
    /// A number that no other live thread of the process has.
    package static var id: UInt {
        #if canImport(Glibc)
            pthread_self()
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }

    /// Yields the processor to another thread.
    package static func yield() { _ = sched_yield() }

    /// Suspends the thread for a time in microseconds.
    package static func sleep(microseconds: UInt32) { _ = usleep(microseconds) }
}

// These functions exist in the system's libraries, but its headers hide them from Swift or import
// them in another form.
extension CurrentThread {
    /// Whether this is the thread with which the process began.
    ///
    /// False if the system does not report it.
    package static var isFirst: Bool {
        #if canImport(Darwin)
            pthread_main_np() == 1
        #elseif PortablePlatform
            false
        #else
            threadNumber.map { $0() == getpid() } ?? false
        #endif
    }

    /// The thread's name; nil if the thread has the name of the process.
    package static var name: String? {
        let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress, threadName?(pthread_self(), start, 64) == 0 else {
                return ""
            }
            return String(cString: start)
        }
        return name.isEmpty || name == processName ? nil : name
    }

    /// The label of the current dispatch queue; nil for one of the system's shared queues.
    package static var queueName: String? {
        guard let label = queueLabel?(nil) else { return nil }
        let name = String(cString: label)
        let isShared = name.hasPrefix("com.apple.") || name.hasPrefix("Swift global")
        return name.isEmpty || isShared ? nil : name
    }

    /// The kernel's name for a thread that has not been named.
    private static let processName: String = {
        let path = CommandLine.arguments.first ?? ""
        return String((path.split(separator: "/").last ?? "").prefix(15))
    }()

    private typealias ThreadNumber = @convention(c) () -> Int32
    private typealias ThreadName =
        @convention(c) (pthread_t, UnsafeMutablePointer<CChar>, Int) -> Int32
    private typealias QueueLabel = @convention(c) (UnsafeRawPointer?) -> UnsafePointer<CChar>?

    /// Returns the address of a function in the libraries that the process has loaded.
    ///
    /// A statically linked program has no such functions.
    private static func function(_ name: String) -> UnsafeMutableRawPointer? {
        #if PortablePlatform
            nil
        #else
            dlsym(dlopen(nil, RTLD_LAZY), name)
        #endif
    }

    // `unsafeBitCast`: the C function of this name is documented as pid_t gettid(void).
    private static let threadNumber = function("gettid").map {
        unsafeBitCast($0, to: ThreadNumber.self)
    }

    // `unsafeBitCast`: int pthread_getname_np(pthread_t, char *, size_t). A thread may always
    // read its own name.
    private static let threadName = function("pthread_getname_np").map {
        unsafeBitCast($0, to: ThreadName.self)
    }

    // `unsafeBitCast`: const char *dispatch_queue_get_label(dispatch_queue_t _Nullable). Nil means
    // the current queue.
    private static let queueLabel = function("dispatch_queue_get_label").map {
        unsafeBitCast($0, to: QueueLabel.self)
    }
}
