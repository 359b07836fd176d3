extension JSONScanner {
    /// Reads the next token.
    ///
    /// The method makes one pass over the bytes of the token, and allocates only for escapes.
    ///
    /// - Returns: the token. See `JSONToken` for the cases in which no token is read.
    /// - Throws: the error in the token.
    package mutating func next() throws(JSONError) -> JSONToken {
        let here = skipSpace(from: cursor)
        switch state {
        case .next:
            guard nesting.depth > 0 else { return try afterTopLevel(here) }
            guard here < end else { return try ranOut(here, .commaOrEnd) }
            guard here.pointee == UInt8(ascii: ",") else { return try close(here, .commaOrEnd) }
            let item = skipSpace(from: here + 1)
            return nesting.isInObject ? try key(item) : try value(item)
        case .value:
            return try value(here)
        case .firstKey:
            guard here < end else { return try ranOut(here, .keyOrEnd) }
            guard here.pointee == UInt8(ascii: "}") else { return try key(here) }
            return try close(here, .keyOrEnd)
        case .firstElement:
            guard here < end else { return try ranOut(here, .valueOrEnd) }
            guard here.pointee == UInt8(ascii: "]") else { return try value(here) }
            return try close(here, .valueOrEnd)
        case .start:
            return try first(here)
        }
    }

    /// Skips the white space at `pointer`, and indentation in steps of eight spaces.
    @inline(__always)
    func skipSpace(from pointer: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        var pointer = pointer
        while pointer < end, pointer.pointee <= 0x20 {
            switch pointer.pointee {
            case 0x20, 0x0A, 0x0D, 0x09: pointer += 1
            default: return pointer
            }
            while end - pointer >= 8, Self.word(at: pointer) == 0x2020_2020_2020_2020 {
                pointer += 8
            }
        }
        return pointer
    }

    /// Reads the value at `here`, or the opening bracket of a container.
    @inline(__always)
    private mutating func value(_ here: UnsafePointer<UInt8>) throws(JSONError) -> JSONToken {
        guard here < end else { return try ranOut(here, .value) }
        switch here.pointee {
        case UInt8(ascii: "\""):
            guard let after = try scanString(here + 1) else { return try ranOut(end, .quote) }
            return finish(.string, from: here, to: after, then: .next)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            guard let after = try scanNumber(here) else { return try ranOut(end, .digit) }
            return finish(.number, from: here, to: after, then: .next)
        case UInt8(ascii: "{"):
            try open(here, object: true)
            return finish(.beginObject, from: here, to: here + 1, then: .firstKey)
        case UInt8(ascii: "["):
            try open(here, object: false)
            return finish(.beginArray, from: here, to: here + 1, then: .firstElement)
        default:
            guard let literal = Literal(initial: here.pointee) else {
                throw unexpected(here, .value)
            }
            guard let after = try scanLiteral(literal, here) else {
                return try ranOut(end, .literal)
            }
            return finish(literal.token, from: here, to: after, then: .next)
        }
    }

    /// Reads the key at `here` and the colon after it.
    @inline(__always)
    private mutating func key(_ here: UnsafePointer<UInt8>) throws(JSONError) -> JSONToken {
        guard here < end else { return try ranOut(here, .key) }
        guard here.pointee == UInt8(ascii: "\"") else { throw unexpected(here, .key) }
        guard let after = try scanString(here + 1) else { return try ranOut(end, .quote) }
        let colon = skipSpace(from: after)
        guard colon < end else { return try ranOut(colon, .colon) }
        guard colon.pointee == UInt8(ascii: ":") else { throw unexpected(colon, .colon) }
        return finish(.key, from: here, to: colon + 1, then: .value)
    }

    @inline(__always)
    private mutating func open(
        _ here: UnsafePointer<UInt8>, object: Bool
    ) throws(JSONError) {
        guard nesting.depth < limits.depth else { throw tooDeep(here) }
        nesting.push(object: object)
    }

    /// Reads the bracket at `here`, which must close the innermost open one.
    @inline(__always)
    private mutating func close(
        _ here: UnsafePointer<UInt8>, _ expected: Expected
    ) throws(JSONError) -> JSONToken {
        let isObject = nesting.isInObject
        guard here.pointee == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
            throw unexpected(here, expected)
        }
        nesting.pop()
        return finish(
            isObject ? .endObject : .endArray, from: here, to: here + 1, then: .next)
    }

    /// Moves past a token. No other method that reads a token changes the scanner's position.
    @inline(__always)
    private mutating func finish(
        _ token: JSONToken, from begin: UnsafePointer<UInt8>, to after: UnsafePointer<UInt8>,
        then next: State
    ) -> JSONToken {
        tokenStart = begin
        cursor = after
        state = next
        return token
    }

    /// Reads the first value of the text, which a byte order mark may precede.
    @inline(never)
    private mutating func first(_ here: UnsafePointer<UInt8>) throws(JSONError) -> JSONToken {
        guard let begin = firstStart(here) else { return try ranOut(end, .value) }
        let item = skipSpace(from: begin)
        guard item < end || !allowsMultipleValues || !isComplete else {
            return finish(.endOfInput, from: item, to: item, then: .start)
        }
        return try value(item)
    }

    /// Returns the position after a byte order mark at `here`, or `here` if there is none.
    ///
    /// Nil if the bytes end within a byte order mark.
    func firstStart(_ here: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        guard origin.offset == 0, here == start, here < end, here.pointee == 0xEF else {
            return here
        }
        guard here + 1 < end else { return nil }
        guard here[1] == 0xBB else { return here }
        guard here + 2 < end else { return nil }
        return here[2] == 0xBF ? here + 3 : here
    }

    /// Reads the end of the text after a top-level value, or the next value if more are allowed.
    @inline(never)
    private mutating func afterTopLevel(
        _ here: UnsafePointer<UInt8>
    ) throws(JSONError) -> JSONToken {
        if here == end {
            guard isComplete else { return try ranOut(here, .value) }
            return finish(.endOfInput, from: here, to: here, then: .next)
        }
        guard allowsMultipleValues else { throw trailing(here) }
        return try value(here)
    }
}
