extension JSONScanner {
    /// The elements of the grammar, in the words of the messages.
    enum Expected: String {
        case value = "a value"
        case key = "a key in double quotes"
        case colon = "':' after a key"
        case commaOrEnd = "',' or the closing bracket"
        case keyOrEnd = "a key in double quotes or '}'"
        case valueOrEnd = "a value or ']'"
        case quote = "the closing quote of a string"
        case digit = "the rest of a number"
        case literal = "the rest of a literal"
        case delimiter = "white space, ',' or a closing bracket"
        case lowSurrogate = "the second half of a surrogate pair"
        case hexDigit = "a hexadecimal digit"
        case escape = "one of \"\\/bfnrtu after a backslash"
    }

    /// Throws at the end of a complete text, and otherwise requests more input.
    @inline(never)
    func ranOut(
        _ pointer: UnsafePointer<UInt8>, _ expected: Expected
    ) throws(JSONError) -> JSONToken {
        guard isComplete else { return .needsMoreInput }
        throw failure(.unexpectedEnd, pointer, "expected \(expected.rawValue), but the text ends")
    }

    /// Returns the error for a byte that is not allowed at `pointer`.
    @inline(never)
    func unexpected(
        _ pointer: UnsafePointer<UInt8>, _ expected: Expected,
        _ code: JSONError.Code = .unexpectedByte
    ) -> JSONError {
        failure(code, pointer, "expected \(expected.rawValue), found \(Self.name(pointer.pointee))")
    }

    @inline(never)
    func trailing(_ pointer: UnsafePointer<UInt8>) -> JSONError {
        failure(
            .trailingContent, pointer,
            "expected nothing after the value, found \(Self.name(pointer.pointee))")
    }

    @inline(never)
    func tooDeep(_ pointer: UnsafePointer<UInt8>) -> JSONError {
        failure(
            .depthExceeded, pointer,
            "expected at most \(limits.depth) open arrays and objects, found one more")
    }

    @inline(never)
    func tooLong(_ pointer: UnsafePointer<UInt8>, isNumber: Bool) -> JSONError {
        failure(
            isNumber ? .numberTooLong : .stringTooLong, pointer,
            isNumber
                ? "expected a number of at most \(limits.numberLength) bytes, found a longer one"
                : "expected a string of at most \(limits.stringLength) bytes, found a longer one")
    }

    /// Returns the error for a surrogate without its other half.
    @inline(never)
    func loneSurrogate(_ pointer: UnsafePointer<UInt8>, _ unit: UInt32) -> JSONError {
        let wanted = unit < 0xDC00 ? "the low half after it" : "the high half before it"
        return failure(
            .loneSurrogate, pointer,
            "expected \(wanted), found the surrogate \\u\(String(unit, radix: 16)) alone")
    }

    @inline(never)
    func controlCharacter(_ pointer: UnsafePointer<UInt8>) -> JSONError {
        failure(
            .controlCharacter, pointer,
            "expected control characters in strings to be escaped, "
                + "found \(Self.name(pointer.pointee))")
    }

    @inline(never)
    func invalidUTF8(_ pointer: UnsafePointer<UInt8>) -> JSONError {
        failure(
            .invalidUTF8, pointer,
            "expected UTF-8, found \(Self.name(pointer.pointee)), which does not go on with it")
    }

    private func failure(
        _ code: JSONError.Code, _ pointer: UnsafePointer<UInt8>, _ message: String
    ) -> JSONError {
        JSONError(code, at: position(of: pointer), message)
    }

    private static func name(_ byte: UInt8) -> String {
        if (0x21..<0x7F).contains(byte) { return "'\(Character(Unicode.Scalar(byte)))'" }
        let digits = String(byte, radix: 16, uppercase: true)
        return "the byte 0x\(digits.count < 2 ? "0" : "")\(digits)"
    }
}
