/// A token that `JSONScanner.next()` returns.
package enum JSONToken: UInt8, Sendable, Hashable {
    /// The `{` of an object: keys and their values follow, then `endObject`.
    case beginObject
    /// The `}` of the innermost open object.
    case endObject
    /// The `[` of an array: values follow, then `endArray`.
    case beginArray
    /// The `]` of the innermost open array.
    case endArray
    /// A key and the colon after it. The scanner's `text` is the key; its value is next.
    case key
    /// A string. The scanner's `text` holds it.
    case string
    /// A number. The scanner's `number` holds it.
    case number
    /// The literal `true`.
    case `true`
    /// The literal `false`.
    case `false`
    /// The literal `null`.
    case null
    /// The end of a complete text.
    case endOfInput
    /// The bytes ended before the next token was complete, and more bytes will follow.
    ///
    /// Nothing was read: the scanner is at the same position as before the call.
    case needsMoreInput
}
