/// Reads a JSON text (RFC 8259, strictly) token by token, without building a tree of it.
///
/// The scanner reads bytes that it does not own: they have to stay where they are, unchanged,
/// until it is done with them. It keeps no copy; strings with escapes are put together in memory
/// of its own. A byte order mark at the very beginning is skipped. Keys that appear twice are
/// passed on twice: the caller decides, and the last is to win.
///
/// Text that arrives in pieces is read with `isComplete: false`. When a token is cut off at the
/// end, `next()` answers `.needsMoreInput` and reads nothing, and the caller goes on like this:
///
///     scanner.restore(mark)             // optional: back to the beginning of the record
///     let used = scanner.suspend()      // the bytes before this one are done with
///     // ... move the rest to the front of the buffer and read more behind it ...
///     scanner.resume(with: buffer, isComplete: isLastPiece)
///
/// The nesting and the line numbers go on across the pieces. A token that is longer than a piece
/// is read from its beginning with every piece: let the buffer double, and that costs twice.
///
/// Many of the methods that change nothing are `mutating` all the same: to call one that borrows,
/// the compiler copies the whole scanner to the stack, which is more than the method itself costs.
///
/// After an error the scanner stands before the faulty token, and gives the same error again.
package struct JSONScanner: ~Copyable {
    /// What may come next.
    enum State: UInt8 {
        /// The first value of the text, perhaps after a byte order mark.
        case start
        /// A value, after a key and its colon.
        case value
        /// A key, or the end of the object that has just begun.
        case firstKey
        /// A value, or the end of the array that has just begun.
        case firstElement
        /// Whatever follows a whole value: a comma, a closing bracket, the end of the text.
        case next
    }

    var start: UnsafePointer<UInt8>
    var end: UnsafePointer<UInt8>
    /// The first byte that is not read yet.
    var cursor: UnsafePointer<UInt8>
    /// Where the last token begins.
    var tokenStart: UnsafePointer<UInt8>
    var state: State = .start
    var nesting = JSONNesting()
    var isComplete: Bool
    /// Whether there are no bytes at hand, between `suspend()` and `resume(with:isComplete:)`.
    var isSuspended = false
    let allowsMultipleValues: Bool
    let limits: JSONLimits
    /// The position of `start` in the whole text.
    var origin: JSONPosition
    /// After `.key` and `.string`: the text in UTF-8, without quotes and with its escapes undone.
    /// After `skipValue()` and `skipContainer()`: the bytes that were skipped, as written.
    ///
    /// They lie in the text itself, or in the scanner's own memory if there were escapes; valid
    /// until the scanner's next call, and no longer than the bytes it reads.
    package internal(set) var text: UnsafeRawBufferPointer
    /// After `.number`: the number. Valid until the scanner's next call.
    package internal(set) var number: JSONNumber
    var scratch = JSONScratch()

    /// A scanner for `bytes`, which begin at `origin` of the whole text.
    ///
    /// `isComplete` says that nothing comes after them. With `allowsMultipleValues`, values follow
    /// each other with or without white space between them (as in NDJSON), and there may be none.
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

    /// The first byte, or for no bytes at all an address that nothing is read from.
    static func pointer(to bytes: UnsafeRawBufferPointer) -> UnsafePointer<UInt8> {
        // Any memory may be read as bytes, whatever it is bound to, and it is never written.
        if let base = bytes.baseAddress { return base.assumingMemoryBound(to: UInt8.self) }
        // Not nil, as it is not 0. Never read, as the end of no bytes is the same address.
        return UnsafePointer(bitPattern: 1)!
    }
}

extension JSONScanner {
    /// A copy of `text`. Allocates where it is longer than 15 bytes.
    package var string: String { String(decoding: text, as: UTF8.self) }

    /// How many arrays and objects are open.
    package var depth: Int { nesting.depth }

    /// Whether the innermost open bracket is an object's. False where none is open.
    package var isInObject: Bool { nesting.isInObject }

    /// The bytes of the whole text that have been read.
    package var offset: Int { origin.offset + (cursor - start) }

    /// The position after the last token. Counts the lines of the bytes at hand: not for every token.
    package var position: JSONPosition { position(of: cursor) }

    /// The position where the last token begins. Counts lines as `position` does.
    package var tokenPosition: JSONPosition { position(of: tokenStart) }

    func position(of pointer: UnsafePointer<UInt8>) -> JSONPosition {
        origin.advanced(over: UnsafeRawBufferPointer(start: start, count: pointer - start))
    }
}
