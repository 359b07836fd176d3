/// A position of a scanner to which it can return: see `JSONScanner.mark()`.
package struct JSONMark: Sendable {
    let offset: Int
    let state: JSONScanner.State
    let nesting: JSONNesting
}

extension JSONScanner {
    /// Returns a mark of the position between two tokens, with the open brackets around it.
    ///
    /// The cost does not depend on the length of the text, so you can mark the start
    /// of every record.
    package func mark() -> JSONMark {
        JSONMark(offset: offset, state: state, nesting: nesting)
    }

    /// Returns to a mark, as if nothing had been read since.
    ///
    /// The byte at the mark must still be in the current bytes. A mark from before a `suspend()` is
    /// valid if nothing was read after it.
    package mutating func restore(_ mark: JSONMark) {
        let distance = mark.offset - origin.offset
        precondition(
            distance >= 0 && distance <= end - start, "The bytes of this mark are gone.")
        cursor = start + distance
        tokenStart = cursor
        text = UnsafeRawBufferPointer(start: cursor, count: 0)
        state = mark.state
        nesting = mark.nesting
    }

    /// Releases the current bytes, so that the caller can move or overwrite them.
    ///
    /// The method counts the lines that were read, once for each piece. Call it only for a text
    /// that is not complete.
    ///
    /// - Returns: the number of bytes that were read. The caller puts the bytes after them at the
    ///   front of the bytes that it passes to `resume`.
    package mutating func suspend() -> Int {
        precondition(!isComplete, "Nothing follows a complete text.")
        let used = cursor - start
        origin = position
        setBytes(from: cursor, to: cursor)
        isSuspended = true
        return used
    }

    /// Continues with bytes that begin with the first byte not read before `suspend()`.
    package mutating func resume(with bytes: UnsafeRawBufferPointer, isComplete: Bool) {
        precondition(isSuspended, "The scanner still reads the bytes it has.")
        let first = Self.pointer(to: bytes)
        setBytes(from: first, to: first + bytes.count)
        self.isComplete = isComplete
        isSuspended = false
    }

    private mutating func setBytes(
        from first: UnsafePointer<UInt8>, to last: UnsafePointer<UInt8>
    ) {
        start = first
        end = last
        cursor = first
        tokenStart = first
        text = UnsafeRawBufferPointer(start: first, count: 0)
    }
}
