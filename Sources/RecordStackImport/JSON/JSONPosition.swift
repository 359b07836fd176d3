/// A position in a text, by line and column, so that people can find it.
package struct JSONPosition: Sendable, Hashable {
    /// The line, from 1.
    ///
    /// Only a line feed ends a line: CR LF ends one line, and a lone CR does not end a line.
    package var line: Int
    /// The column, from 1, in bytes of UTF-8, not characters. A byte order mark has three bytes.
    package var column: Int
    /// The number of bytes before this position, from the beginning of the whole text.
    package var offset: Int

    /// Creates a position.
    package init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }

    /// The beginning of a text.
    package static let start = JSONPosition(line: 1, column: 1, offset: 0)

    /// Returns the position after `bytes` that begin here. Reads each byte once.
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
    /// The line and the column, in the style of compilers.
    package var description: String { "line \(line), column \(column)" }
}
