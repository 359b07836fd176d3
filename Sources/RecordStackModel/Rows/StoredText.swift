/// Decodes text in a file, where another program may have written bytes that are not UTF-8.
@usableFromInline
package enum StoredText {
    /// Returns the text of some bytes; nil if they are not UTF-8.
    ///
    /// The standard library's validation takes twice as long as decoding. It is called only if
    /// decoding may have replaced invalid bytes.
    @usableFromInline
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> String? {
        if isASCII(bytes) { return String(decoding: bytes, as: UTF8.self) }
        let text = String(decoding: bytes, as: UTF8.self)
        // A replacement character has three bytes. Only the first three bytes of a four-byte
        // character are as long as their replacement. All other invalid bytes are shorter, so
        // replacing them lengthens the text.
        if text.utf8.count != bytes.count { return nil }
        if !bytes.contains(where: { $0 >= 0xF0 }) { return text }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var (bits, index) = (0 as UInt64, 0)
        while index &+ 8 <= bytes.count {
            bits |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            index &+= 8
        }
        while index < bytes.count {
            bits |= UInt64(bytes[index])
            index &+= 1
        }
        return bits & 0x8080_8080_8080_8080 == 0
    }
}
