/// Why a text is not JSON, or not JSON that the limits allow.
package struct JSONError: Error, Sendable, Hashable {
    /// What kind of fault it is, for code that tells them apart.
    package enum Code: String, Sendable, Hashable {
        /// A byte that nothing in the grammar begins or goes on with here.
        case unexpectedByte
        /// The text ended in the middle of a value, or held none.
        case unexpectedEnd
        /// A string holds bytes that are not UTF-8.
        case invalidUTF8
        /// A `\u` escape names half of a surrogate pair, without the other half.
        case loneSurrogate
        /// A backslash that is not followed by one of the escapes.
        case badEscape
        /// Something that begins as a number and is none.
        case badNumber
        /// A byte below 0x20 in a string, where it has to be escaped.
        case controlCharacter
        /// More arrays and objects are open than the limit allows.
        case depthExceeded
        /// A string is longer than the limit allows.
        case stringTooLong
        /// A number is longer than the limit allows.
        case numberTooLong
        /// Something follows the one value of the text.
        case trailingContent
    }

    /// The kind of fault.
    package let code: Code
    /// Where the fault is: the first byte that does not fit.
    package let position: JSONPosition
    /// What was found and what was expected, as a sentence without its position.
    package let message: String

    /// An error with these parts.
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
