#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

enum CurrentThread {
    /// A number that no other live thread has.
    static var id: UInt {
        #if canImport(Glibc)
            pthread_self()
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }

    /// The time since some moment that stays the same.
    static var nanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// The same as of the last tick of the system's clock, a few milliseconds ago. It takes least time to read.
    static var coarseNanoseconds: UInt64 {
        #if canImport(Glibc)
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
            return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
        #else
            nanoseconds >> 22 << 22
        #endif
    }
}
