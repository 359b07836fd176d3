package import FoundationEssentials

/// A pattern of Unicode date letters, made ready once and then used to read any number of dates.
///
///     y yyyy      the year, four digits          H HH   the hour, 0 to 23
///     yy          the year, 1950 to 2049         h hh   the hour, 1 to 12, with `a`
///     M MM        the month as a number          m mm   the minute
///     MMM MMMM    the month's English name       s ss   the second
///     d dd        the day of the month           S…     so many digits of the second, up to 9
///     E … EEEE    the weekday's English name     a      AM or PM, ignored beside `H`
///     Z X x z     the offset from UTC
///
/// One letter of a number takes one digit or two, two letters take exactly two. Names are read in
/// any case, long or short whatever the pattern says; a weekday has to be one, but need not be the
/// date's. All letters for the offset, however many, read the same: `Z`, `+01`, `+0100`,
/// `+01:00`, `UTC` and `GMT`, and the last two with an offset after them. Text between single
/// quotes and everything but letters has to be there exactly, and `''` is a quote.
///
/// What the pattern leaves out is that of 2000-01-01T00:00:00Z. The locale is en_US_POSIX and the
/// calendar Gregorian, always. `DateFormatter` reads these patterns alike but more loosely: it
/// takes other numbers of digits and other white space than the pattern has.
package struct DatePattern: Sendable, Hashable {
    /// The pattern as it was given.
    package let source: String
    let steps: [Step]

    /// Makes a pattern ready. Throws what is wrong with it; see `DatePatternError`.
    package init(_ source: String) throws(DatePatternError) {
        self.source = source
        var compiler = Compiler(source)
        steps = try compiler.compile()
    }

    /// The date that `text`, in UTF-8, writes in this pattern, or nil if it writes none.
    ///
    /// Allocates nothing.
    package func date(from text: UnsafeRawBufferPointer) -> Date? {
        var reader = Reader(text)
        for step in steps {
            guard reader.read(step) else { return nil }
        }
        return reader.date
    }

    /// The date that `text` writes in this pattern: see the method for bytes.
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
        /// With the text that stands for UTC.
        case zone(utc: String)
    }

    /// The parts that are numbers of one digit or two.
    enum Field: Sendable, Hashable {
        case month, day, hour, hourOf12, minute, second
    }
}
