import RecordStackModel

/// A declared key path: keys of objects and indexes of arrays, separated by dots.
///
/// A backslash makes the next character literal.
struct ImportKeyPath {
    let steps: [String]

    /// Parses a key path.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for an empty step or a backslash at the end.
    init(_ text: String, entity: EntityDescription) throws {
        // The text is split by bytes, so that a dot before a combining mark is also a separator.
        var (steps, step, isEscaped) = ([[UInt8]](), [UInt8](), false)
        for byte in text.utf8 {
            switch byte {
            case _ where isEscaped:
                step.append(byte)
                isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = true
            case UInt8(ascii: "."):
                steps.append(step)
                step = []
            default: step.append(byte)
            }
        }
        steps.append(step)
        if steps.contains(where: \.isEmpty) || isEscaped {
            let what = isEscaped ? "a backslash at its end" : "an empty step"
            throw RecordStackError(
                .misuse,
                "“\(text.cut(to: 100))” is no key path: it has \(what). Write keys divided by single dots, as in "
                    + ".imported(from: \"contact.mail\"); a dot within a key has a backslash before it.",
                entity: entity.name)
        }
        self.steps = steps.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns a key as a path of one step.
    static func escaped(_ key: String) -> String {
        var bytes: [UInt8] = []
        for byte in key.utf8 {
            if byte == UInt8(ascii: "\\") || byte == UInt8(ascii: ".") {
                bytes.append(UInt8(ascii: "\\"))
            }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the array index that a step is; nil for a key.
    ///
    /// An index consists of digits, without a sign or leading zeros.
    static func index(_ step: String) -> Int? {
        guard let index = Int(step), index >= 0, String(index) == step else { return nil }
        return index
    }
}
