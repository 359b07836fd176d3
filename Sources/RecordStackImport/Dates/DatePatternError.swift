/// Why a pattern is none that dates can be read by.
package enum DatePatternError: Error, Sendable, Hashable {
    /// A letter that stands for nothing that is read here. Text belongs between single quotes.
    case unsupportedLetter(Character)
    /// A letter that is read, but not so many of it.
    case unsupportedCount(letter: Character, count: Int)
    /// A part of the date that was named before, perhaps by another letter.
    case repeatedField(letter: Character)
    /// A number of one digit or two, right before other digits: where does it end?
    case ambiguousWidth(letter: Character)
    /// The clock of 12 hours without the `a` that says which half of the day it is.
    case missingDayPeriod
    /// A single quote without its other one.
    case unterminatedQuote
    /// No letter that stands for anything.
    case noFields
}

extension DatePatternError: CustomStringConvertible {
    /// What is wrong, and with which letter.
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
