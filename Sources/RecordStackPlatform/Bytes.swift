#if canImport(Glibc)
    public import Glibc
#elseif canImport(Musl)
    public import Musl
#else
    public import Darwin
#endif

/// Bytes in memory.
@usableFromInline
package enum Bytes {
    /// Whether two addresses have the same bytes.
    @inlinable
    package static func areEqual(
        _ first: UnsafeRawPointer, _ second: UnsafeRawPointer, count: Int
    ) -> Bool {
        memcmp(first, second, count) == 0
    }

    /// Whether a text contains the bytes of another one, both without NUL.
    package static func text(_ text: String, contains part: String) -> Bool {
        text.withCString { strstr($0, part) != nil }
    }
}
