/// Where a scanner stood, to go back to: see `JSONScanner.mark()`.
package struct JSONMark: Sendable {
    let offset: Int
    let state: JSONScanner.State
    let nesting: JSONNesting
}

extension JSONScanner {
    /// Remembers where the scanner stands: between two tokens, with what is open around it.
    ///
    /// Costs nothing that grows with the text, and may be taken before every record.
    package func mark() -> JSONMark {
        JSONMark(offset: offset, state: state, nesting: nesting)
    }

    /// Goes back to a mark, as if nothing had been read since. The byte it was taken at has to be
    /// among those at hand: a mark from before a `suspend()` holds if nothing was read after it.
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

    /// Lets go of the bytes at hand, so that the caller may move and overwrite them.
    ///
    /// Answers how many of them have been read: the caller puts those after them at the front of
    /// what it hands to `resume`. Counts the lines that were read, once for each piece. Only for
    /// a text that is not complete.
    package mutating func suspend() -> Int {
        precondition(!isComplete, "Nothing follows a complete text.")
        let used = cursor - start
        origin = position
        setBytes(from: cursor, to: cursor)
        isSuspended = true
        return used
    }

    /// Goes on with bytes that begin with the first one that was not read before `suspend()`.
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
