// A token consists of a number for its format, the digest of its request, a flag that tells whether
// the object itself is included, the values, and a checksum of all these.
extension Keyset {
    private static var form: UInt8 { 1 }

    package func token(_ position: Position) -> PageToken {
        var bytes: [UInt8] = [Self.form]
        bytes.append(number: digest)
        bytes.append(position.isInclusive ? 1 : 0)
        for value in position.values { bytes.append(value) }
        bytes.append(number: Self.checksum(bytes[...]))
        return PageToken(bytes: bytes)
    }

    /// Decodes a token.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a damaged
    ///   token, and for a token of another request.
    package func position(of token: PageToken) throws -> Position {
        var rest = (token.bytes ?? [])[...]
        guard rest.count >= 18 else { throw Self.damaged(token) }
        var end = rest.suffix(8)
        rest = rest.dropLast(8)
        guard end.takeNumber() == Self.checksum(rest), rest.popFirst() == Self.form else {
            throw Self.damaged(token)
        }
        guard rest.takeNumber() == digest else {
            throw RecordStackError(
                .misuse,
                "The page token \(token.excerpt) was made by another request: one of another store, entity, filter "
                    + "or order, or of an older version of the entity. Begin with the first page.")
        }
        let isInclusive = rest.popFirst() == 1
        var values: [StoredValue] = []
        for _ in terms {
            guard let value = rest.takeValue() else { throw Self.damaged(token) }
            values.append(value)
        }
        guard rest.isEmpty, case .integer? = values.last else { throw Self.damaged(token) }
        return Position(values: values, isInclusive: isInclusive)
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var digest = StableDigest()
        digest.add(bytes: bytes)
        return digest.value
    }

    private static func damaged(_ token: PageToken) -> RecordStackError {
        RecordStackError(
            .misuse,
            "\(token.excerpt) is no page token: it is cut off or was changed. Use a "
                + "token as it was given, or begin with the first page.")
    }
}

extension PageToken {
    /// The token for a message, shortened because any text may have been passed as a token.
    fileprivate var excerpt: String { ValueText.quoted(NearNames.shortened(description)) }
}

extension [UInt8] {
    fileprivate mutating func append(number: UInt64) {
        for shift in stride(from: 0 as UInt64, to: 64, by: 8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// Appends a length, which takes one byte if it is below 128.
    fileprivate mutating func append(length: Int) {
        var rest = UInt64(length)
        while rest >= 128 {
            append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    fileprivate mutating func append(_ value: StoredValue) {
        switch value {
        case .null: append(0)
        case .integer(let number):
            append(1)
            append(number: UInt64(bitPattern: number))
        case .real(let number):
            append(2)
            append(number: number.bitPattern)
        case .text(let text):
            append(3)
            append(length: text.utf8.count)
            append(contentsOf: text.utf8)
        case .blob(let bytes):
            append(4)
            append(length: bytes.count)
            append(contentsOf: bytes)
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func takeNumber() -> UInt64? {
        guard count >= 8 else { return nil }
        let number = prefix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        self = dropFirst(8)
        return number
    }

    private mutating func takeBytes() -> ArraySlice<UInt8>? {
        var (length, shift) = (0 as UInt64, 0 as UInt64)
        while let byte = popFirst() {
            length |= UInt64(byte & 127) << shift
            shift += 7
            if byte < 128 { break }
            if shift > 56 { return nil }
        }
        guard shift > 0, length <= UInt64(count) else { return nil }
        defer { self = dropFirst(Int(length)) }
        return prefix(Int(length))
    }

    fileprivate mutating func takeValue() -> StoredValue? {
        switch popFirst() {
        case 0: return .null
        case 1: return takeNumber().map { .integer(Int64(bitPattern: $0)) }
        case 2: return takeNumber().map { .storedReal(Double(bitPattern: $0)) }
        case 3: return takeBytes().map { .text(String(decoding: $0, as: UTF8.self)) }
        case 4: return takeBytes().map { .blob(Array($0)) }
        default: return nil
        }
    }
}
