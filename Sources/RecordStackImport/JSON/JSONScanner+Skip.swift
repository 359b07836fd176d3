extension JSONScanner {
    /// Skips the next value with all its content, and the key before it if a key comes next.
    ///
    /// Afterwards, `text` is the value, or the key and the value, as written. Skipped text is
    /// checked as strictly as text that is read, and skipping costs somewhat less.
    ///
    /// - Returns: false if `next()` would return `.needsMoreInput`. Nothing is read then.
    /// - Throws: the errors of `next()`, and an error if no value comes next.
    package mutating func skipValue() throws(JSONError) -> Bool {
        guard let begin = try itemStart() else { return try didRunOut(.value) }
        var pointer = begin
        if state == .firstKey || (state == .next && nesting.isInObject) {
            guard let after = try skipKey(begin) else { return try didRunOut(.key) }
            pointer = skipSpace(from: after)
        }
        guard let after = try skipWhole(pointer) else { return try didRunOut(.value) }
        setSkipped(from: begin, to: after)
        return true
    }

    /// Skips the rest of the innermost open array or object, with its closing bracket.
    ///
    /// Afterwards, `text` is the skipped text as written. An array or object must be open. The
    /// result and the errors are those of `skipValue()`.
    package mutating func skipContainer() throws(JSONError) -> Bool {
        precondition(nesting.depth > 0, "No array and no object is open.")
        var pointer = cursor
        if state == .value {
            guard let after = try skipWhole(skipSpace(from: pointer)) else {
                return try didRunOut(.value)
            }
            pointer = after
        }
        var inner = JSONNesting()
        inner.push(object: nesting.isInObject)
        let isFirst = state == .firstKey || state == .firstElement
        let after = try skipBrackets(
            pointer, inner, isFirst: isFirst, outerDepth: nesting.depth - 1)
        guard let after else { return try didRunOut(.commaOrEnd) }
        setSkipped(from: cursor, to: after)
        nesting.pop()
        return true
    }

    private mutating func setSkipped(
        from begin: UnsafePointer<UInt8>, to after: UnsafePointer<UInt8>
    ) {
        tokenStart = begin
        text = UnsafeRawBufferPointer(start: begin, count: after - begin)
        cursor = after
        state = .next
    }

    private func didRunOut(_ expected: Expected) throws(JSONError) -> Bool {
        _ = try ranOut(end, expected)
        return false
    }

    /// Returns the start of the next value or member, after a comma. Nil at the end of the bytes.
    private func itemStart() throws(JSONError) -> UnsafePointer<UInt8>? {
        let here = skipSpace(from: cursor)
        guard here < end else { return nil }
        switch state {
        case .start:
            return firstStart(here).map { skipSpace(from: $0) }
        case .next where nesting.depth > 0:
            guard here.pointee == UInt8(ascii: ",") else { throw unexpected(here, .commaOrEnd) }
            return skipSpace(from: here + 1)
        case .next where !allowsMultipleValues:
            throw trailing(here)
        default:
            return here
        }
    }

    /// Returns the position after the value at `begin`.
    @inline(__always)
    private mutating func skipWhole(
        _ begin: UnsafePointer<UInt8>
    ) throws(JSONError) -> UnsafePointer<UInt8>? {
        guard begin < end else { return nil }
        let isObject = begin.pointee == UInt8(ascii: "{")
        guard isObject || begin.pointee == UInt8(ascii: "[") else { return try skipScalar(begin) }
        guard nesting.depth < limits.depth else { throw tooDeep(begin) }
        var inner = JSONNesting()
        inner.push(object: isObject)
        return try skipBrackets(begin + 1, inner, isFirst: true, outerDepth: nesting.depth)
    }

    /// Skips from inside brackets to the end of the outermost of them.
    ///
    /// - Parameter isFirst: true if the innermost bracket has no content yet. It may close then,
    ///   and no comma may follow.
    private mutating func skipBrackets(
        _ begin: UnsafePointer<UInt8>, _ brackets: consuming JSONNesting, isFirst: Bool,
        outerDepth: Int
    ) throws(JSONError) -> UnsafePointer<UInt8>? {
        var pointer = begin
        var isFirst = isFirst
        while brackets.depth > 0 {
            pointer = skipSpace(from: pointer)
            guard pointer < end else { return nil }
            let isObject = brackets.isInObject
            if pointer.pointee == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                brackets.pop()
                pointer += 1
                isFirst = false
                continue
            }
            if !isFirst {
                guard pointer.pointee == UInt8(ascii: ",") else {
                    throw unexpected(pointer, .commaOrEnd)
                }
                pointer = skipSpace(from: pointer + 1)
            }
            if isObject {
                guard let after = try skipKey(pointer) else { return nil }
                pointer = skipSpace(from: after)
            }
            guard pointer < end else { return nil }
            let opensObject = pointer.pointee == UInt8(ascii: "{")
            isFirst = opensObject || pointer.pointee == UInt8(ascii: "[")
            if isFirst {
                guard outerDepth + brackets.depth < limits.depth else { throw tooDeep(pointer) }
                brackets.push(object: opensObject)
                pointer += 1
            } else {
                guard let after = try skipScalar(pointer) else { return nil }
                pointer = after
            }
        }
        return pointer
    }

    /// Returns the position after a string, a number or a literal.
    @inline(__always)
    private mutating func skipScalar(
        _ begin: UnsafePointer<UInt8>
    ) throws(JSONError) -> UnsafePointer<UInt8>? {
        switch begin.pointee {
        case UInt8(ascii: "\""):
            return try skipString(begin + 1)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            var digits = Digits()
            return try numberEnd(begin, &digits)
        default:
            guard let literal = Literal(initial: begin.pointee) else {
                throw unexpected(begin, .value)
            }
            return try scanLiteral(literal, begin)
        }
    }

    /// Returns the position after a key and the colon after it.
    @inline(__always)
    private mutating func skipKey(
        _ begin: UnsafePointer<UInt8>
    ) throws(JSONError) -> UnsafePointer<UInt8>? {
        guard begin < end else { return nil }
        guard begin.pointee == UInt8(ascii: "\"") else { throw unexpected(begin, .key) }
        guard let after = try skipString(begin + 1) else { return nil }
        let colon = skipSpace(from: after)
        guard colon < end else { return nil }
        guard colon.pointee == UInt8(ascii: ":") else { throw unexpected(colon, .colon) }
        return colon + 1
    }
}
