#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

// What the system's headers keep from Swift, or hand to it in another form, and its libraries have.
extension CurrentThread {
    /// Whether it is the thread that the process began with.
    static var isFirst: Bool {
        #if canImport(Glibc)
            threadNumber.map { $0() == getpid() } ?? false
        #else
            pthread_main_np() == 1
        #endif
    }

    /// The thread's name, where it has one of its own: others have that of the process.
    static var name: String? {
        let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress, threadName?(pthread_self(), start, 64) == 0 else {
                return ""
            }
            return String(cString: start)
        }
        return name.isEmpty || name == processName ? nil : name
    }

    /// The label of the queue that runs what calls; nil for those that the system shares out.
    static var queueName: String? {
        guard let label = queueLabel?(nil) else { return nil }
        let name = String(cString: label)
        let isShared = name.hasPrefix("com.apple.") || name.hasPrefix("Swift global")
        return name.isEmpty || isShared ? nil : name
    }

    /// What the kernel calls a thread that nobody has named.
    private static let processName: String = {
        let path = CommandLine.arguments.first ?? ""
        return String((path.split(separator: "/").last ?? "").prefix(15))
    }()

    private typealias ThreadNumber = @convention(c) () -> Int32
    private typealias ThreadName =
        @convention(c) (pthread_t, UnsafeMutablePointer<CChar>, Int) -> Int32
    private typealias QueueLabel = @convention(c) (UnsafeRawPointer?) -> UnsafePointer<CChar>?

    // The C functions of these names are documented: pid_t gettid(void).
    private static let threadNumber = dlsym(nil, "gettid").map {
        unsafeBitCast($0, to: ThreadNumber.self)
    }

    // int pthread_getname_np(pthread_t, char *, size_t), of which a thread may always ask for its own name.
    private static let threadName = dlsym(nil, "pthread_getname_np").map {
        unsafeBitCast($0, to: ThreadName.self)
    }

    // const char *dispatch_queue_get_label(dispatch_queue_t _Nullable): nil stands for the current queue.
    private static let queueLabel = dlsym(nil, "dispatch_queue_get_label").map {
        unsafeBitCast($0, to: QueueLabel.self)
    }
}
