/// The reason why a pattern is invalid or unsupported, or why a text is too long for it.
struct PatternProblem: Error, CustomStringConvertible {
    let description: String

    /// Creates a problem at a location in the pattern.
    ///
    /// - Parameter index: the index of the character in the pattern, from 0.
    init(_ message: String, at index: Int) {
        description = "\(message), at character \(index + 1)"
    }

    init(_ message: String) {
        description = message
    }
}
