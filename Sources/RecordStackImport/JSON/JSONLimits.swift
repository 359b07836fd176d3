/// How much a text may ask of its reader, so that a hostile one cannot ask for everything.
package struct JSONLimits: Sendable, Hashable {
    /// How many arrays and objects may be open at once, where nothing else is said.
    package static let depth = 512

    /// How many arrays and objects may be open at once.
    package var depth: Int
    /// How many bytes a string or a key may take between its quotes, as written.
    package var stringLength: Int
    /// How many bytes a number may take, as written.
    package var numberLength: Int

    /// Limits that no honest feed reaches.
    package init(
        depth: Int = JSONLimits.depth, stringLength: Int = 64 << 20, numberLength: Int = 1024
    ) {
        self.depth = depth
        self.stringLength = stringLength
        self.numberLength = numberLength
    }
}
