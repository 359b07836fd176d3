import Foundation
import RecordStackImport
import Testing

/// Dates as counts of seconds or milliseconds since 1970.
@Suite struct DateParsingNumberTests {
    @Test func `known counts are known dates`() {
        #expect(DateParser.date(secondsSince1970: 0 as Int64) == Date(timeIntervalSince1970: 0))
        let feed = DateParser.date(millisecondsSince1970: 1_517_966_773_840 as Int64)
        #expect(feed == DateParser.iso8601("2018-02-07T01:26:13.84Z"))
        #expect(
            DateParser.date(secondsSince1970: 1_517_966_773.5)
                == DateParser.iso8601(
                    "2018-02-07T01:26:13.5Z"))
        #expect(
            DateParser.date(secondsSince1970: -1 as Int64)
                == DateParser.iso8601(
                    "1969-12-31T23:59:59Z"))
        #expect(
            DateParser.date(millisecondsSince1970: -1 as Int64)
                == DateParser.iso8601(
                    "1969-12-31T23:59:59.999Z"))
    }

    @Test func `what is not a finite number is nil`() {
        for value in [Double.nan, .infinity, -.infinity] {
            #expect(DateParser.date(secondsSince1970: value) == nil)
            #expect(DateParser.date(millisecondsSince1970: value) == nil)
        }
    }

    @Test func `every count has a date, however far`() {
        let far: [(Int64, Double)] = [(.max, 9.223372035876469e18), (.min, -9.223372037833083e18)]
        for (count, seconds) in far {
            let date = DateParser.date(secondsSince1970: count)
            #expect(date.timeIntervalSinceReferenceDate == seconds)
            let exact = Int128(count) - 978_307_200_000
            #expect(
                DateParser.date(millisecondsSince1970: count).timeIntervalSinceReferenceDate
                    == DateCheck.nearest(exact, places: 3))
        }
        let extremes = [
            1e300, -1e300, 1e19, .leastNonzeroMagnitude, -0.0, 0x1p-30, 0x1p-31, 0x1p-11,
            -0x1p-11, 0x1.5p-12, -0x1.5p-13,
        ]
        for value in extremes {
            let date = DateParser.date(millisecondsSince1970: value)
            #expect(date?.timeIntervalSinceReferenceDate == value / 1_000 - 978_307_200)
        }
    }

    @Test func `integer milliseconds give the nearest Double`() throws {
        var random = DateCheck.random("Integer milliseconds")
        for round in 0..<30_000 {
            let range: ClosedRange<Int64> =
                switch round % 3 {
                case 0: .min ... .max
                case 1: 0...4_000_000_000_000
                default: 978_307_190_000...978_307_210_000
                }
            let count = Int64.random(in: range, using: &random)
            let expected = DateCheck.nearest(Int128(count) - 978_307_200_000, places: 3)
            let date = DateParser.date(millisecondsSince1970: count)
            try #require(date.timeIntervalSinceReferenceDate == expected, "\(count)")
        }
    }

    @Test func `milliseconds with a fraction give the nearest Double`() throws {
        var random = DateCheck.random("Milliseconds with a fraction")
        for round in 0..<30_000 {
            // n / 2^k is n * 5^k / 10^k: an exact decimal for the C library to round.
            let places = Int.random(in: 1...18, using: &random)
            let most: Int64 = round % 2 == 0 ? 1 << 53 : 978_307_200_000 << min(places, 12)
            let bits = Int64.random(in: -most...most, using: &random)
            let value = Double(bits) / Double(1 << places)
            guard Int64(exactly: Double(bits)) == bits else { continue }
            let fives = (0..<places).reduce(1 as Int128) { power, _ in power * 5 }
            let tens = fives << places
            let exact = Int128(bits) * fives - 978_307_200_000 * tens
            let expected = DateCheck.nearest(exact, places: places + 3)
            let read = DateParser.date(millisecondsSince1970: value)
            try #require(read?.timeIntervalSinceReferenceDate == expected, "\(value)")
        }
    }

    @Test func `a count of milliseconds is the date that its text is`() throws {
        var random = DateCheck.random("Milliseconds and text")
        for _ in 0..<2_000 {
            let count = Int64.random(in: -12_000_000_000_000...4_000_000_000_000, using: &random)
            let seconds = count >= 0 ? count / 1_000 : (count - 999) / 1_000
            let text = Date(timeIntervalSince1970: Double(seconds)).ISO8601Format().dropLast()
            let fraction = DateCheck.padded(Int(count - seconds * 1_000), 3)
            let date = DateParser.date(millisecondsSince1970: count)
            try #require(DateParser.iso8601("\(text).\(fraction)Z") == date, "\(count)")
        }
    }
}
