package import FoundationEssentials

/// Reads dates out of text and numbers, exactly and without a formatter.
///
/// A `Date` is a `Double` of seconds since 2001-01-01T00:00:00Z. What is read here is always the
/// one nearest to what is written, so that the same moment written in two ways is the same date.
/// For patterns other than ISO 8601 there is `DatePattern`.
package enum DateParser {
    /// Whether a date is one of the years 0001 to 9999, which are all that is read and written.
    static func isInCalendar(_ date: Date) -> Bool {
        // 0001-01-01 and 10000-01-01, in seconds since 2001-01-01.
        (-63_113_904_000..<252_423_993_600).contains(date.timeIntervalSinceReferenceDate)
    }

    /// The date that `text`, in UTF-8, writes in ISO 8601 (or RFC 3339), or nil if it writes none.
    ///
    /// A day, `2018-02-07`, or a day and a time, `2018-02-07T01:26:13.5+01:00`, in the years 0001
    /// to 9999. Between them a `T`, a `t` or a space. The seconds may be missing; they may have a
    /// fraction of any length after a point or a comma. The offset is `Z`, `z`, `+01:00`, `+0100`
    /// or `+01`, and without one it is UTC. 24:00:00 is the next midnight, a second 60 the next
    /// minute. Nothing may come before or after, not even white space.
    ///
    /// Allocates only for fractions of more than 18 digits.
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

    /// The date that `text` writes in ISO 8601: see the method for bytes.
    package static func iso8601(_ text: String) -> Date? {
        withBytes(of: text, iso8601)
    }

    /// Reads the time of day and the offset, up to the end.
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
        // The bytes are only read within the closure, and no part of them leaves it.
        return text.withUTF8 { read(UnsafeRawBufferPointer($0)) }
    }
}
