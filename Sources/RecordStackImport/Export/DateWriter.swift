import FoundationEssentials
import RecordStackModel

/// Writes dates as `DateParser` reads them.
enum DateWriter {
    private static let secondsPerDay = 86_400.0

    /// Returns a date in ISO 8601, in UTC: `2018-02-07T01:26:13.5Z`.
    ///
    /// The fraction has enough digits to read the same date to the bit. Nil for a date outside the
    /// years 0001 to 9999.
    static func iso8601(_ date: Date) -> String? {
        guard let parts = parts(of: date) else { return nil }
        let day = "\(padded(parts.year, 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2))"
        let fraction = parts.fraction.isEmpty ? "" : "." + parts.fraction.map { "\($0)" }.joined()
        let time = "\(padded(parts.hour, 2)):\(padded(parts.minute, 2)):\(padded(parts.second, 2))"
        return "\(day)T\(time)\(fraction)Z"
    }

    struct Parts {
        var (year, month, day) = (1, 1, 1)
        var (hour, minute, second) = (0, 0, 0)
        /// The digits of the fraction of the second, without trailing zeros.
        var fraction: [Int] = []
        /// The weekday; 0 is Sunday.
        var weekday = 0
    }

    static func padded(_ number: Int, _ count: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    /// Returns the parts of a date, in UTC.
    static func parts(of date: Date) -> Parts? {
        guard DateParser.isInCalendar(date) else { return nil }
        let seconds = date.timeIntervalSinceReferenceDate
        let days = (seconds / secondsPerDay).rounded(.down)
        let rest = Int(seconds.rounded(.down) - days * secondsPerDay)
        var parts = Parts()
        let day = GregorianDay(daysSince2001: Int(days))
        (parts.year, parts.month, parts.day) = (day.year, day.month, day.day)
        (parts.hour, parts.minute, parts.second) = (rest / 3600, rest / 60 % 60, rest % 60)
        parts.fraction = fraction(of: seconds)
        // 2001-01-01 was a Monday.
        parts.weekday = ((Int(days) + 1) % 7 + 7) % 7
        return parts
    }

    /// Returns the digits after the point of the distance to the previous whole second.
    ///
    /// They are the digits of the shortest number that reads as the same date.
    private static func fraction(of seconds: Double) -> [Int] {
        var digits = digitsAfterPoint(of: abs(seconds).description)
        while digits.last == 0 { digits.removeLast() }
        if seconds > 0 || digits.isEmpty { return digits }
        // Before 2001 the number is negative and the distance is the complement of its fraction: 10
        // minus the last digit, 9 minus the other digits.
        let last = digits.count - 1
        return digits.enumerated().map { $0 == last ? 10 - $1 : 9 - $1 }
    }

    private static func digitsAfterPoint(of text: String) -> [Int] {
        let parts = text.split(separator: "e")
        let halves = parts[0].split(separator: ".")
        let exponent = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
        let digits = halves.joined().compactMap(\.wholeNumberValue)
        let point = halves[0].count + exponent
        if point <= 0 { return Array(repeating: 0, count: -point) + digits }
        return Array(digits.dropFirst(point))
    }
}
