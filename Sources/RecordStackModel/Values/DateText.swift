/// Dates as dumps and descriptions write them: in UTC, with a different text for each date.
enum DateText {
    /// - Parameter seconds: the seconds since 2001.
    static func text(of seconds: Double) -> String {
        let whole = seconds.rounded(.down)
        // The bounds of the years 1 to 9999.
        guard whole >= -63_113_904_000, whole < 252_423_993_600,
            let fraction = fraction(of: seconds, whole)
        else { return "Date(\(seconds))" }
        return day(Int(whole)) + "T" + time(Int(whole)) + fraction + "Z"
    }

    /// Returns the decimal fraction that gives the date exactly; nil if nine digits do not suffice.
    private static func fraction(of seconds: Double, _ whole: Double) -> String? {
        if seconds == whole { return "" }
        for (digits, scale) in [(3, 1e3), (6, 1e6), (9, 1e9)] {
            let count = ((seconds - whole) * scale).rounded()
            if count < scale && whole + count / scale == seconds {
                return "." + padded(Int(count), digits)
            }
        }
        return nil
    }

    private static func time(_ seconds: Int) -> String {
        let second = (seconds % 86_400 + 86_400) % 86_400
        return [second / 3_600, second / 60 % 60, second % 60].map { padded($0, 2) }
            .joined(separator: ":")
    }

    private static func day(_ seconds: Int) -> String {
        let days = (seconds - ((seconds % 86_400) + 86_400) % 86_400) / 86_400
        let day = GregorianDay(daysSince2001: days)
        return [padded(day.year, 4), padded(day.month, 2), padded(day.day, 2)]
            .joined(separator: "-")
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
