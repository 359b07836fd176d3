/// Dates as dumps and descriptions write them: in UTC, and so that no two dates look alike.
enum DateText {
    /// - Parameter seconds: seconds since 2001.
    static func text(of seconds: Double) -> String {
        let whole = seconds.rounded(.down)
        // The years 1 to 9999.
        guard whole >= -63_113_904_000, whole < 252_423_993_600,
            let fraction = fraction(of: seconds, whole)
        else { return "Date(\(seconds))" }
        return day(Int(whole)) + "T" + time(Int(whole)) + fraction + "Z"
    }

    /// The digits behind the point that give the date exactly, or nil where nine do not.
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

    /// The day of the Gregorian calendar, also before 1582.
    private static func day(_ seconds: Int) -> String {
        // Days since 1 March of the year 0, with which a cycle of 400 years begins.
        var days = (seconds - ((seconds % 86_400) + 86_400) % 86_400) / 86_400 + 730_791
        let cycle = days / 146_097
        days %= 146_097
        let year = (days - days / 1_460 + days / 36_524 - days / 146_096) / 365
        days -= 365 * year + year / 4 - year / 100
        // Months from March on have 153 days in five.
        let month = (5 * days + 2) / 153
        let day = days - (153 * month + 2) / 5 + 1
        let isNextYear = month >= 10
        return [
            padded(cycle * 400 + year + (isNextYear ? 1 : 0), 4),
            padded(isNextYear ? month - 9 : month + 3, 2), padded(day, 2),
        ].joined(separator: "-")
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
