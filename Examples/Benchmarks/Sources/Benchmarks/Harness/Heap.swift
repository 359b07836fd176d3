import HeapUse

/// What the program has taken from the allocator.
enum Heap {
    /// Bytes that were taken and not given back, of all threads.
    static var bytesInUse: Int { Int(heap_bytes_in_use()) }
}
