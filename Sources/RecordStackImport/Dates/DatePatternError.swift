/// The reason why a date pattern is not valid.
package enum DatePatternError: Error, Sendable, Hashable {
    /// A letter without a meaning in patterns. Literal text belongs in single quotes.
    case unsupportedLetter(Character)
    /// A letter with a meaning, but an unsupported number of it.
    case unsupportedCount(letter: Character, count: Int)
    /// A part of the date that the pattern names twice, perhaps by another letter.
    case repeatedField(letter: Character)
    /// A number of one or two digits directly before other digits, so that its end is ambiguous.
    case ambiguousWidth(letter: Character)
    /// The hour of a 12-hour clock without the `a` for the half of the day.
    case missingDayPeriod
    /// A single quote without a closing one.
    case unterminatedQuote
    /// A pattern without any letter that has a meaning.
    case noFields
}

extension DatePatternError: CustomStringConvertible {
    /// A sentence that says what is wrong, and with which letter.
    package var description: String {
        switch self {
        case .unsupportedLetter(let letter):
            "The letter '\(letter)' is not supported in date patterns; "
                + "text belongs between single quotes."
        case .unsupportedCount(let letter, let count):
            "The letter '\(letter)' is not supported \(count) times in a row in date patterns."
        case .repeatedField(let letter):
            "The letter '\(letter)' names a part of the date that was named before."
        case .ambiguousWidth(let letter):
            "The letter '\(letter)' takes one digit or two, and digits follow right after it."
        case .missingDayPeriod:
            "The letter 'h' counts to 12 and needs an 'a' beside it; 'H' counts to 23."
        case .unterminatedQuote:
            "A single quote in the date pattern has no other one to end the text."
        case .noFields:
            "The date pattern names no part of a date."
        }
    }
}
