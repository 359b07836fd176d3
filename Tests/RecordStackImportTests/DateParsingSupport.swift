import Foundation

/// Helpers for the date tests. They use the seeds and random numbers of `JSONFuzz`.
enum DateCheck {
    /// Returns a generator with the seed of the environment, and prints the seed.
    static func random(_ name: String) -> JSONFuzz.Random {
        let seed = JSONFuzz.seed()
        print("\(name): RECORDSTACK_SEED=\(seed)")
        return JSONFuzz.Random(state: seed)
    }

    /// Returns the Double nearest to `value / 10^places`, computed by the C library.
    static func nearest(_ value: Int128, places: Int) -> Double {
        var digits = String(value.magnitude)
        while digits.count <= places { digits = "0" + digits }
        let text = "\(digits.dropLast(places)).\(digits.suffix(places))"
        return value < 0 ? -strtod(text, nil) : strtod(text, nil)
    }

    /// Returns a moment in whole seconds, in the years for which Foundation uses the Gregorian
    /// calendar.
    static func moment(_ random: inout JSONFuzz.Random) -> Date {
        // These are 1583-01-01 and 9999-12-31, in seconds from 2001.
        Date(
            timeIntervalSinceReferenceDate: Double(
                Int.random(in: -13_190_774_400...252_423_993_599, using: &random)))
    }

    static func formatter(_ pattern: String) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = pattern
        return formatter
    }

    static func padded(_ value: Int, _ count: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
