extension JSONScanner {
    /// Reads the next token. Throws what is wrong with it; see `JSONToken` for what is not read.
    ///
    /// Costs one pass over the bytes of the token, and allocates only for escapes.
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

    /// Skips the white space at `pointer`. Indentation goes by eight spaces at once.
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

    /// Reads the value at `here` as far as it is one token.
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

    /// Reads the bracket at `here`, which has to close the innermost open one.
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

    /// Moves on: the one place where a token that has been read changes where the scanner stands.
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

    /// The first value of the text, for which a byte order mark may stand before it.
    @inline(never)
    private mutating func first(_ here: UnsafePointer<UInt8>) throws(JSONError) -> JSONToken {
        guard let begin = firstStart(here) else { return try ranOut(end, .value) }
        let item = skipSpace(from: begin)
        guard item < end || !allowsMultipleValues || !isComplete else {
            return finish(.endOfInput, from: item, to: item, then: .start)
        }
        return try value(item)
    }

    /// Past the byte order mark at `here`, or `here` itself where none is. Nil if the bytes end
    /// within one.
    func firstStart(_ here: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        guard origin.offset == 0, here == start, here < end, here.pointee == 0xEF else {
            return here
        }
        guard here + 1 < end else { return nil }
        guard here[1] == 0xBB else { return here }
        guard here + 2 < end else { return nil }
        return here[2] == 0xBF ? here + 3 : here
    }

    /// After a value at depth 0: the end, or the next value where there may be one.
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
