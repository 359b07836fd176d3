/// The reason why a text is not JSON, or exceeds the limits.
package struct JSONError: Error, Sendable, Hashable {
    /// The kind of error, for code that distinguishes them.
    package enum Code: String, Sendable, Hashable {
        /// A byte that the grammar does not allow here.
        case unexpectedByte
        /// A text that ends in the middle of a value, or has no value.
        case unexpectedEnd
        /// A string with bytes that are not UTF-8.
        case invalidUTF8
        /// A `\u` escape for half of a surrogate pair, without the other half.
        case loneSurrogate
        /// A backslash before a byte that does not form an escape.
        case badEscape
        /// Text that starts like a number and is not a number.
        case badNumber
        /// A byte below 0x20 in a string, where it must be escaped.
        case controlCharacter
        /// More open arrays and objects than the limit allows.
        case depthExceeded
        /// A string that is longer than the limit allows.
        case stringTooLong
        /// A number that is longer than the limit allows.
        case numberTooLong
        /// Content after the one value of the text.
        case trailingContent
    }

    /// The kind of error.
    package let code: Code
    /// The position of the first byte that does not match.
    package let position: JSONPosition
    /// A sentence that says what was found and what was expected, without the position.
    package let message: String

    /// Creates an error.
    package init(_ code: Code, at position: JSONPosition, _ message: String) {
        self.code = code
        self.position = position
        self.message = message
    }
}

extension JSONError: CustomStringConvertible {
    /// The position and the message.
    package var description: String { "\(position): \(message)" }
}
