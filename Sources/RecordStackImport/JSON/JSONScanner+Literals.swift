extension JSONScanner {
    /// The three literals of the grammar.
    enum Literal {
        case `true`, `false`, null

        @inline(__always)
        init?(initial: UInt8) {
            switch initial {
            case UInt8(ascii: "t"): self = .true
            case UInt8(ascii: "f"): self = .false
            case UInt8(ascii: "n"): self = .null
            default: return nil
            }
        }

        var token: JSONToken {
            switch self {
            case .true: .true
            case .false: .false
            case .null: .null
            }
        }

        /// The first four letters, the first of them lowest.
        var letters: UInt32 {
            switch self {
            case .true: 0x6575_7274
            case .false: 0x736C_6166
            case .null: 0x6C6C_756E
            }
        }

        var spelling: StaticString {
            switch self {
            case .true: "true"
            case .false: "false"
            case .null: "null"
            }
        }
    }

    /// Returns the end of the literal at `begin`, or nil if the bytes end within it.
    @inline(__always)
    func scanLiteral(
        _ literal: Literal, _ begin: UnsafePointer<UInt8>
    ) throws(JSONError) -> UnsafePointer<UInt8>? {
        // The comparison needs the literal and the byte after it: five bytes, and six for `false`.
        if end - begin >= 6, UInt32(truncatingIfNeeded: Self.half(at: begin)) == literal.letters {
            var after = begin + 4
            if literal == .false {
                guard after.pointee == UInt8(ascii: "e") else {
                    throw unexpected(after, .literal)
                }
                after += 1
            }
            if !Self.continuesWord(after.pointee) { return after }
        }
        return try scanLiteralSlowly(literal, begin)
    }

    @inline(__always)
    private static func half(at pointer: UnsafePointer<UInt8>) -> UInt32 {
        // The caller has checked that four bytes exist, and `loadUnaligned` needs no alignment.
        UInt32(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt32.self))
    }

    /// Returns the end of the literal, or nil if the bytes end before it. Throws at a wrong byte.
    @inline(never)
    private func scanLiteralSlowly(
        _ literal: Literal, _ begin: UnsafePointer<UInt8>
    ) throws(JSONError) -> UnsafePointer<UInt8>? {
        var pointer = begin
        for index in 0..<literal.spelling.utf8CodeUnitCount {
            guard pointer < end else { return nil }
            guard pointer.pointee == literal.spelling.utf8Start[index] else {
                throw unexpected(pointer, .literal)
            }
            pointer += 1
        }
        guard pointer < end else { return isComplete ? pointer : nil }
        guard !Self.continuesWord(pointer.pointee) else { throw unexpected(pointer, .delimiter) }
        return pointer
    }
}
