/// Text as it stands in a file. Another program may have written bytes there that are not UTF-8.
@usableFromInline
package enum StoredText {
    /// The text of some bytes; nil where they are not UTF-8.
    ///
    /// The standard library's own check takes twice as long as decoding, so that it is asked only where decoding may
    /// have mended something.
    @usableFromInline
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> String? {
        if isASCII(bytes) { return String(decoding: bytes, as: UTF8.self) }
        let text = String(decoding: bytes, as: UTF8.self)
        // What takes the place of wrong bytes has three bytes itself, and only the first three bytes of a character of
        // four are as many. All others make the text longer.
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
