import HeapUse

/// The memory that the program has allocated.
enum Heap {
    /// The bytes that all threads have allocated and not freed.
    static var bytesInUse: Int { Int(heap_bytes_in_use()) }
}
