#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A clock that counts from a fixed moment and ignores changes of the system's time.
package enum MonotonicClock {
    package static var nanoseconds: UInt64 { read(CLOCK_MONOTONIC) }

    /// The time of the last tick of the system's clock, up to 10 ms ago.
    ///
    /// Linux reads this clock fastest.
    package static var coarseNanoseconds: UInt64 {
        #if canImport(Glibc) && !PortablePlatform
            read(CLOCK_MONOTONIC_COARSE)
        #else
            nanoseconds
        #endif
    }

    @inline(__always)
    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
