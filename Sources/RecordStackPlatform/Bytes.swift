#if canImport(Glibc)
    public import Glibc
#elseif canImport(Musl)
    public import Musl
#else
    public import Darwin
#endif

/// Operations on bytes in memory.
@usableFromInline
package enum Bytes {
    /// Returns true if the bytes at two addresses are equal.
    @inlinable
    package static func areEqual(
        _ first: UnsafeRawPointer, _ second: UnsafeRawPointer, count: Int
    ) -> Bool {
        memcmp(first, second, count) == 0
    }

    /// Whether a text contains the bytes of another text, both without NUL.
    package static func text(_ text: String, contains part: String) -> Bool {
        text.withCString { strstr($0, part) != nil }
    }
}
