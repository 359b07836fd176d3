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
}
