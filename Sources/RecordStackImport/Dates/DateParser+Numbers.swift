package import FoundationEssentials

// Numbers become dates by the arithmetic of Foundation's `Date(timeIntervalSince1970:)` and of
// JSONDecoder. An imported date is therefore equal to the bit to a date that a program decodes
// itself. The nearest Double would differ by up to 0.2 microseconds.
extension DateParser {
    /// Returns the date that many seconds after 1970-01-01T00:00:00Z.
    package static func date(secondsSince1970 seconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(seconds))
    }

    /// Returns the date that many seconds after 1970-01-01T00:00:00Z.
    ///
    /// Nil for infinity and NaN.
    package static func date(secondsSince1970 seconds: Double) -> Date? {
        seconds.isFinite ? Date(timeIntervalSince1970: seconds) : nil
    }

    /// Returns the date that many milliseconds after 1970-01-01T00:00:00Z.
    package static func date(millisecondsSince1970 milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }

    /// Returns the date that many milliseconds after 1970-01-01T00:00:00Z.
    ///
    /// It is not rounded to whole milliseconds. Nil for infinity and NaN.
    package static func date(millisecondsSince1970 milliseconds: Double) -> Date? {
        milliseconds.isFinite ? Date(timeIntervalSince1970: milliseconds / 1_000) : nil
    }
}
