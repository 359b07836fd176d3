package import FoundationEssentials

// Numbers become dates by the very arithmetic of Foundation's `Date(timeIntervalSince1970:)` and of
// JSONDecoder: a program that compares an imported date with one that it decoded itself finds them
// equal to the bit. The nearest Double would differ from theirs by up to 0.2 microseconds.
extension DateParser {
    /// The date so many seconds after 1970-01-01T00:00:00Z.
    package static func date(secondsSince1970 seconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(seconds))
    }

    /// The date so many seconds after 1970-01-01T00:00:00Z. Nil for infinity and for what is not
    /// a number.
    package static func date(secondsSince1970 seconds: Double) -> Date? {
        seconds.isFinite ? Date(timeIntervalSince1970: seconds) : nil
    }

    /// The date so many milliseconds after 1970-01-01T00:00:00Z.
    package static func date(millisecondsSince1970 milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }

    /// The date so many milliseconds after 1970-01-01T00:00:00Z. Nil for infinity and for what is
    /// not a number. Not rounded to whole milliseconds.
    package static func date(millisecondsSince1970 milliseconds: Double) -> Date? {
        milliseconds.isFinite ? Date(timeIntervalSince1970: milliseconds / 1_000) : nil
    }
}
