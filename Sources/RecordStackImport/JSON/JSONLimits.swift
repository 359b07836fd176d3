/// Limits on the resources that a text can use, as protection against hostile texts.
package struct JSONLimits: Sendable, Hashable {
    /// The default number of arrays and objects that may be open at once.
    package static let depth = 512

    /// The number of arrays and objects that may be open at once.
    package var depth: Int
    /// The number of bytes that a string or key may have between its quotes, as written.
    package var stringLength: Int
    /// The number of bytes that a number may have, as written.
    package var numberLength: Int

    /// Creates limits. The defaults are higher than any ordinary feed needs.
    package init(
        depth: Int = JSONLimits.depth, stringLength: Int = 64 << 20, numberLength: Int = 1024
    ) {
        self.depth = depth
        self.stringLength = stringLength
        self.numberLength = numberLength
    }
}
