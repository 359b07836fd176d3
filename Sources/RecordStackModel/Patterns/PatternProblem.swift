/// Why a text is no regular expression, or none that is known to end.
struct PatternProblem: Error, CustomStringConvertible {
    let description: String

    /// - Parameter index: the character of the pattern that the problem is about, from 0.
    init(_ message: String, at index: Int) {
        description = "\(message), at character \(index + 1)"
    }

    init(_ message: String) {
        description = message
    }
}
