/// The nesting depth of a JSON text, found without reading its values.
///
/// Foundation's decoder ends the process at a fixed depth, and earlier if the thread's stack
/// overflows. A thread of a queue has half a megabyte of stack. The decoder therefore receives no
/// text that is too deep for such a thread.
package enum JSONDepth {
    /// The maximum number of levels of nested arrays and objects in a value.
    ///
    /// Measurements show that half a megabyte is enough for 250 levels.
    package static let most = 100

    /// Whether a text has more levels of nested arrays and objects than a limit.
    package static func exceeds(_ most: Int, in text: String) -> Bool {
        var text = text
        return text.withUTF8 { exceeds(most, in: $0) }
    }

    private static func exceeds(_ most: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // A text that is this short cannot open more of them.
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
            // An unmatched bracket makes the text invalid JSON. It must not allow more levels.
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
            default: break
            }
        }
        return false
    }
}
