package import FoundationEssentials

/// A parser of dates in text and numbers, exact and without a formatter.
///
/// A `Date` is a `Double` of seconds since 2001-01-01T00:00:00Z. From text, the parser always
/// returns the `Date` nearest to the written time, so the same moment written in two ways is the
/// same date. Use `DatePattern` for patterns other than ISO 8601.
package enum DateParser {
    /// Whether a date is in the years 0001 to 9999, the only years that are read and written.
    static func isInCalendar(_ date: Date) -> Bool {
        // 0001-01-01 and 10000-01-01, in seconds since 2001-01-01.
        (-63_113_904_000..<252_423_993_600).contains(date.timeIntervalSinceReferenceDate)
    }

    /// Returns the date that a UTF-8 text writes in ISO 8601 or RFC 3339, or nil for other text.
    ///
    /// The text is a day, `2018-02-07`, or a day and a time, `2018-02-07T01:26:13.5+01:00`, in the
    /// years 0001 to 9999. A `T`, a `t` or a space separates the two. The seconds are optional.
    /// They may have a fraction of any length after a point or a comma. The offset is `Z`, `z`,
    /// `+01:00`, `+0100` or `+01`; without an offset, the time is UTC. 24:00:00 is the next
    /// midnight, and a second of 60 is the start of the next minute. Nothing may precede or follow
    /// the date, not even white space.
    ///
    /// The method allocates only for fractions of more than 18 digits.
    package static func iso8601(_ text: UnsafeRawBufferPointer) -> Date? {
        var cursor = DateCursor(text)
        var time = CivilTime()
        guard let year = cursor.digits(4), cursor.take(UInt8(ascii: "-")),
            let month = cursor.digits(2), cursor.take(UInt8(ascii: "-")),
            let day = cursor.digits(2)
        else { return nil }
        (time.year, time.month, time.day) = (year, month, day)
        guard !cursor.isAtEnd else { return time.date }
        guard cursor.peek | 0x20 == UInt8(ascii: "t") || cursor.peek == 0x20 else { return nil }
        cursor.skip(1)
        guard readTime(&cursor, &time) else { return nil }
        return time.date
    }

    /// Returns the date that a text writes in ISO 8601: see the method for bytes.
    package static func iso8601(_ text: String) -> Date? {
        withBytes(of: text, iso8601)
    }

    /// Reads the time of day and the offset, up to the end of the text.
    private static func readTime(_ cursor: inout DateCursor, _ time: inout CivilTime) -> Bool {
        guard let hour = cursor.digits(2), cursor.take(UInt8(ascii: ":")),
            let minute = cursor.digits(2)
        else { return false }
        (time.hour, time.minute) = (hour, minute)
        if cursor.take(UInt8(ascii: ":")) {
            guard let second = cursor.digits(2) else { return false }
            time.second = second
            if cursor.take(UInt8(ascii: ".")) || cursor.take(UInt8(ascii: ",")) {
                guard let fraction = cursor.fraction() else { return false }
                time.fraction = fraction
            }
        }
        if cursor.peek | 0x20 == UInt8(ascii: "z") {
            cursor.skip(1)
        } else if !cursor.isAtEnd {
            guard let offset = cursor.offset() else { return false }
            time.offset = offset
        }
        return cursor.isAtEnd
    }

    static func withBytes(of text: String, _ read: (UnsafeRawBufferPointer) -> Date?) -> Date? {
        var text = text
        // The closure does not let the bytes escape.
        return text.withUTF8 { read(UnsafeRawBufferPointer($0)) }
    }
}
