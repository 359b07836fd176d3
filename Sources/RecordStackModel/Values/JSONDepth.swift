/// How deep a JSON text goes, found without reading its values.
///
/// Foundation's decoder ends the program at a depth of its own, and before that where the thread's
/// stack ends: a thread of a queue has half a megabyte. So no text comes to it that is deeper than what
/// such a thread has room for.
package enum JSONDepth {
    /// Arrays and objects in one another that a value may have. Measured: half a megabyte is enough for 250.
    package static let most = 100

    /// Whether more arrays and objects stand inside of one another than there may be.
    package static func exceeds(_ most: Int, in text: String) -> Bool {
        var text = text
        return text.withUTF8 { exceeds(most, in: $0) }
    }

    private static func exceeds(_ most: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // So few bytes cannot open more.
        if bytes.count <= most { return false }
        var (depth, isInString, isEscaped) = (0, false, false)
        for byte in bytes {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth > most { return true }
            // What closes nothing makes the text none of JSON; it must not make room for more.
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
            default: break
            }
        }
        return false
    }
}
