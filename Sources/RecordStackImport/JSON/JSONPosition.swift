/// A position in a text, for a person to find it again.
package struct JSONPosition: Sendable, Hashable {
    /// The line, from 1. Only a line feed ends a line, so CR LF ends one and a lone CR none.
    package var line: Int
    /// The column, from 1, in bytes of UTF-8, not in characters. A byte order mark is three.
    package var column: Int
    /// The bytes before this position, from the beginning of the whole text.
    package var offset: Int

    /// The position with these numbers.
    package init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }

    /// The beginning of a text.
    package static let start = JSONPosition(line: 1, column: 1, offset: 0)

    /// The position after `bytes`, when they begin here. Reads each of the bytes once.
    package func advanced(over bytes: UnsafeRawBufferPointer) -> JSONPosition {
        var lines = 0
        for byte in bytes where byte == 0x0A { lines += 1 }
        guard lines > 0, let last = bytes.lastIndex(of: 0x0A) else {
            return JSONPosition(
                line: line, column: column + bytes.count, offset: offset + bytes.count)
        }
        return JSONPosition(
            line: line + lines, column: bytes.count - last, offset: offset + bytes.count)
    }
}

extension JSONPosition: CustomStringConvertible {
    /// The line and the column, as compilers write them.
    package var description: String { "line \(line), column \(column)" }
}
