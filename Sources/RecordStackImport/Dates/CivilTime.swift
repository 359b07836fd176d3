internal import FoundationEssentials

/// A date and a time of day as they are written, before they become a `Date`.
///
/// The calendar is always Gregorian, also before 1582, as in ISO 8601.
struct CivilTime {
    // Fields that a pattern does not name default to the first moment of 2000, as in DateFormatter.
    var year = 2000
    var month = 1
    var day = 1
    var hour = 0
    var minute = 0
    var second = 0
    var fraction = DateFraction()
    /// Seconds east of UTC.
    var offset = 0

    /// The moment, or nil if there is no such date or time.
    ///
    /// 24:00:00 is the midnight that ends the day. A second of 60 is valid in any minute and means
    /// the first second of the next minute, because a `Date` does not count leap seconds.
    var date: Date? {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.daysInMonth(month, of: year), minute <= 59, second <= 60
        else { return nil }
        guard hour <= 23 || (hour == 24 && minute == 0 && second == 0 && fraction.isZero) else {
            return nil
        }
        let days = Self.daysSince2001(year, month, day)
        let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset
        return Date(timeIntervalSinceReferenceDate: fraction.added(to: seconds))
    }

    static func isLeap(_ year: Int) -> Bool {
        year & 3 == 0 && (year % 100 != 0 || year & 15 == 0)
    }

    static func daysInMonth(_ month: Int, of year: Int) -> Int {
        if month == 2 { return isLeap(year) ? 29 : 28 }
        // Long and short months alternate, and the alternation restarts in August.
        return 30 + ((month + (month >> 3)) & 1)
    }

    /// Returns the number of days from 2001-01-01 to a day of year 1 or later.
    static func daysSince2001(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let before = year - 1
        let years = before * 365 + before / 4 - before / 100 + before / 400
        // The days of the months before this one, as if February had 30 days: the factor 367/12
        // rounds to the same lengths.
        let months = (367 * month - 362) / 12
        let february = month <= 2 ? 0 : isLeap(year) ? 1 : 2
        return years + months - february + day - 1 - 730_485
    }
}
