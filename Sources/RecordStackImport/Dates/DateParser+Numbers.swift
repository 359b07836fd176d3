package import FoundationEssentials

extension DateParser {
    /// The seconds from 1970 to 2001, where `Date` begins to count.
    private static let epoch = 978_307_200

    /// The date so many seconds after 1970-01-01T00:00:00Z.
    package static func date(secondsSince1970 seconds: Int64) -> Date {
        let (since2001, overflow) = seconds.subtractingReportingOverflow(Int64(epoch))
        guard !overflow else { return reference(Double(Int128(seconds) - Int128(epoch))) }
        return reference(Double(since2001))
    }

    /// The date so many seconds after 1970-01-01T00:00:00Z. Nil for infinity and for what is not
    /// a number.
    package static func date(secondsSince1970 seconds: Double) -> Date? {
        // One subtraction of two exact values: rounded once, to the nearest.
        seconds.isFinite ? reference(seconds - Double(epoch)) : nil
    }

    /// The date so many milliseconds after 1970-01-01T00:00:00Z.
    package static func date(millisecondsSince1970 milliseconds: Int64) -> Date {
        let since2001 = Int128(milliseconds) - Int128(epoch) * 1_000
        // Where the count is an exact Double, the one division rounds to the nearest.
        if since2001.magnitude <= 1 << 53 {
            return reference(Double(Int64(truncatingIfNeeded: since2001)) / 1_000)
        }
        let seconds = ExactQuotient.nearest(since2001.magnitude, over: 1_000)
        return reference(since2001 < 0 ? -seconds : seconds)
    }

    /// The date so many milliseconds after 1970-01-01T00:00:00Z. Nil for infinity and for what is
    /// not a number. Not rounded to whole milliseconds; exact up to 2^63 of them, which is 290
    /// million years.
    package static func date(millisecondsSince1970 milliseconds: Double) -> Date? {
        if let whole = Int64(exactly: milliseconds) {
            return date(millisecondsSince1970: whole)
        }
        guard milliseconds.isFinite else { return nil }
        guard milliseconds.magnitude < 0x1p52 else {
            return reference(milliseconds / 1_000 - Double(epoch))
        }
        // So little changes nothing at that distance from 2001, and would need too many bits.
        guard milliseconds.magnitude >= 0x1p-30 else { return reference(-Double(epoch)) }
        return reference(exactSeconds(milliseconds))
    }

    /// The seconds since 2001 of milliseconds since 1970 that have a fraction: 2^-30...2^52.
    private static func exactSeconds(_ milliseconds: Double) -> Double {
        // All the bits before and after the point, as an integer: 52 and 82 of them at the most,
        // never both, and the epoch with the 82 needs 122.
        let scale = 52 - Int(milliseconds.exponent)
        let bits = Int128(milliseconds.significandBitPattern | 1 << 52)
        let since1970 = milliseconds < 0 ? -bits : bits
        let since2001 = since1970 - (Int128(epoch) * 1_000) << scale
        let seconds = ExactQuotient.nearest(since2001.magnitude, over: 1_000, scale: -scale)
        return since2001 < 0 ? -seconds : seconds
    }

    private static func reference(_ seconds: Double) -> Date {
        Date(timeIntervalSinceReferenceDate: seconds)
    }
}
