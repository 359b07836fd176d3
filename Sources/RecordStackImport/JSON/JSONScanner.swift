/// A strict reader of a JSON text (RFC 8259), token by token, without a tree.
///
/// The scanner does not own the bytes that it reads. They must stay in memory, unchanged, until the
/// scanner is done with them. It copies no bytes, except to decode strings with escapes. It skips a
/// byte order mark at the beginning. It returns duplicate keys: the caller decides, and the last
/// one should win.
///
/// To read text in pieces, pass `isComplete: false`. If a token is cut off at the end, `next()`
/// returns `.needsMoreInput` and reads nothing. The caller then continues like this:
///
///     scanner.restore(mark)             // optional: returns to the beginning of the record
///     let used = scanner.suspend()      // the scanner no longer needs the bytes before this one
///     // ... move the rest to the front of the buffer and read more behind it ...
///     scanner.resume(with: buffer, isComplete: isLastPiece)
///
/// The nesting and the line numbers continue across pieces. A token longer than a piece is read
/// again from its beginning with every piece. If the buffer doubles each time, this costs no more
/// than reading the token twice.
///
/// Many methods that change nothing are `mutating`. To call a borrowing method, the compiler copies
/// the whole scanner to the stack, which costs more than the method itself.
///
/// After an error, the scanner stays before the faulty token and throws the same error again.
package struct JSONScanner: ~Copyable {
    /// The expectation for the next token.
    enum State: UInt8 {
        /// The first value of the text, perhaps after a byte order mark.
        case start
        /// A value, after a key and its colon.
        case value
        /// A key, or the end of the object that has just begun.
        case firstKey
        /// A value, or the end of the array that has just begun.
        case firstElement
        /// The token after a complete value: a comma, a closing bracket, or the end of the text.
        case next
    }

    var start: UnsafePointer<UInt8>
    var end: UnsafePointer<UInt8>
    /// The first byte that is not read yet.
    var cursor: UnsafePointer<UInt8>
    /// The start of the last token.
    var tokenStart: UnsafePointer<UInt8>
    var state: State = .start
    var nesting = JSONNesting()
    var isComplete: Bool
    /// True between `suspend()` and `resume(with:isComplete:)`, when there are no current bytes.
    var isSuspended = false
    let allowsMultipleValues: Bool
    let limits: JSONLimits
    /// The position of `start` in the whole text.
    var origin: JSONPosition
    /// The text of the last key or string, or the bytes that were skipped last.
    ///
    /// After `.key` and `.string`, it is UTF-8 without quotes and with decoded escapes. After
    /// `skipValue()` and `skipContainer()`, it is the skipped bytes as written. It points into the
    /// scanner's bytes, or into the scanner's own memory if there were escapes. It is valid until
    /// the next call of the scanner, and no longer than the scanner's bytes.
    package internal(set) var text: UnsafeRawBufferPointer
    /// The number after `.number`, valid until the next call of the scanner.
    package internal(set) var number: JSONNumber
    var scratch = JSONScratch()

    /// Creates a scanner for `bytes`, which begin at `origin` of the whole text.
    ///
    /// - Parameters:
    ///   - isComplete: true if no bytes follow these.
    ///   - allowsMultipleValues: true to allow any number of values, with or without white space
    ///     between them, as in NDJSON.
    package init(
        _ bytes: UnsafeRawBufferPointer, limits: JSONLimits = JSONLimits(),
        startingAt origin: JSONPosition = .start, isComplete: Bool = true,
        allowsMultipleValues: Bool = false
    ) {
        start = Self.pointer(to: bytes)
        end = start + bytes.count
        cursor = start
        tokenStart = start
        text = UnsafeRawBufferPointer(start: start, count: 0)
        number = JSONNumber(
            raw: text, isInteger: true, isNegative: false, magnitude: 0, exponent: 0, isExact: true)
        self.limits = limits
        self.origin = origin
        self.isComplete = isComplete
        self.allowsMultipleValues = allowsMultipleValues
    }

    /// Returns the first byte or, without bytes, an address that is never read.
    static func pointer(to bytes: UnsafeRawBufferPointer) -> UnsafePointer<UInt8> {
        // The bytes are only read, and any memory may be read as bytes.
        if let base = bytes.baseAddress { return base.assumingMemoryBound(to: UInt8.self) }
        // The pattern is not 0, so the pointer is not nil. It is never read, because the end of
        // empty bytes is the same address.
        return UnsafePointer(bitPattern: 1)!
    }
}

extension JSONScanner {
    /// A copy of `text`. Allocates if it is longer than 15 bytes.
    package var string: String { String(decoding: text, as: UTF8.self) }

    /// The number of open arrays and objects.
    package var depth: Int { nesting.depth }

    /// Whether the innermost open bracket is an object. False if no bracket is open.
    package var isInObject: Bool { nesting.isInObject }

    /// The number of bytes of the whole text that have been read.
    package var offset: Int { origin.offset + (cursor - start) }

    /// The position after the last token. It counts lines in the current bytes, so use it rarely.
    package var position: JSONPosition { position(of: cursor) }

    /// The position of the start of the last token. It counts lines as `position` does.
    package var tokenPosition: JSONPosition { position(of: tokenStart) }

    func position(of pointer: UnsafePointer<UInt8>) -> JSONPosition {
        origin.advanced(over: UnsafeRawBufferPointer(start: start, count: pointer - start))
    }
}
