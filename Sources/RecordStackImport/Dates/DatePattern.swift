package import FoundationEssentials

/// A compiled pattern of Unicode date letters, with which you can read any number of dates.
///
///     y yyyy      the year, four digits          H HH   the hour, 0 to 23
///     yy          the year, 1950 to 2049         h hh   the hour, 1 to 12, with `a`
///     M MM        the month as a number          m mm   the minute
///     MMM MMMM    the month's English name       s ss   the second
///     d dd        the day of the month           S…     that many digits of the second, up to 9
///     E … EEEE    the weekday's English name     a      AM or PM, ignored with `H`
///     Z X x z     the offset from UTC
///
/// A single letter for a number takes one or two digits, and a double letter takes exactly two. A
/// name can be long or short and in any case, whatever the pattern says. A weekday must be the name
/// of a weekday, but not necessarily that of the date. The letters for the offset all read the same
/// forms, however many there are: `Z`, `+01`, `+0100`, `+01:00`, `UTC` and `GMT`. An offset can
/// follow `UTC` and `GMT`. Text in single quotes, and all characters that are not letters, must
/// match exactly; `''` is a quote.
///
/// Parts that the pattern leaves out are those of 2000-01-01T00:00:00Z. The locale is always
/// en_US_POSIX and the calendar Gregorian. `DateFormatter` reads these patterns in the same way but
/// more loosely: it accepts other numbers of digits and other white space than the pattern has.
package struct DatePattern: Sendable, Hashable {
    /// The text of the pattern.
    package let source: String
    let steps: [Step]

    /// Compiles a pattern.
    ///
    /// - Throws: `DatePatternError` if the pattern is not valid.
    package init(_ source: String) throws(DatePatternError) {
        self.source = source
        var compiler = Compiler(source)
        steps = try compiler.compile()
    }

    /// Returns the date that a UTF-8 text writes in this pattern, or nil for other text.
    ///
    /// The method allocates nothing.
    package func date(from text: UnsafeRawBufferPointer) -> Date? {
        var reader = Reader(text)
        for step in steps {
            guard reader.read(step) else { return nil }
        }
        return reader.date
    }

    /// Returns the date that a text writes in this pattern: see the method for bytes.
    package func date(from text: String) -> Date? {
        DateParser.withBytes(of: text) { date(from: $0) }
    }

    /// One thing to read, in the order of the pattern.
    enum Step: Sendable, Hashable {
        case literal(UInt8)
        case year
        case shortYear
        case number(Field, isPadded: Bool)
        case monthName(isLong: Bool)
        case weekdayName(isLong: Bool)
        case dayPeriod
        case fraction(Int)
        /// The offset, with the text for UTC.
        case zone(utc: String)
    }

    /// The parts that are numbers of one or two digits.
    enum Field: Sendable, Hashable {
        case month, day, hour, hourOf12, minute, second
    }
}
