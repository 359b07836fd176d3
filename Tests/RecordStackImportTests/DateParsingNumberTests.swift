import Foundation
import RecordStackImport
import Testing

/// Dates as counts of seconds or milliseconds since 1970.
@Suite("Parsing of numeric dates") struct DateParsingNumberTests {
    @Test func `the date parser reads counts of seconds and milliseconds since 1970`() {
        #expect(DateParser.date(secondsSince1970: 0 as Int64) == Date(timeIntervalSince1970: 0))
        #expect(
            DateParser.date(secondsSince1970: 1_517_966_773.5)
                == DateParser.iso8601("2018-02-07T01:26:13.5Z"))
        #expect(
            DateParser.date(secondsSince1970: -1 as Int64)
                == DateParser.iso8601("1969-12-31T23:59:59Z"))
        #expect(
            DateParser.date(millisecondsSince1970: -1_000 as Int64)
                == DateParser.iso8601("1969-12-31T23:59:59Z"))
    }

    @Test func `the date parser reads no date from a non-finite number`() {
        for value in [Double.nan, .infinity, -.infinity] {
            #expect(DateParser.date(secondsSince1970: value) == nil)
            #expect(DateParser.date(millisecondsSince1970: value) == nil)
        }
    }

    @Test func `the date parser reads milliseconds as JSONDecoder does`() throws {
        var random = DateCheck.random("Milliseconds and JSONDecoder")
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        let counts = (0..<5_000).map { _ in
            Int64.random(in: -12_000_000_000_000...4_000_000_000_000, using: &random)
        }
        let decoded = try decoder.decode([Date].self, from: JSONEncoder().encode(counts))
        for (count, date) in zip(counts, decoded) {
            try #require(DateParser.date(millisecondsSince1970: count) == date, "\(count)")
            try #require(
                DateParser.date(millisecondsSince1970: Double(count) + 0.5)
                    == Date(timeIntervalSince1970: (Double(count) + 0.5) / 1_000), "\(count)")
        }
    }

    @Test func `dates from milliseconds and from ISO 8601 text agree to 2 µs`() throws {
        var random = DateCheck.random("Milliseconds and text")
        for _ in 0..<2_000 {
            let count = Int64.random(in: -12_000_000_000_000...4_000_000_000_000, using: &random)
            let seconds = count >= 0 ? count / 1_000 : (count - 999) / 1_000
            let text = Date(timeIntervalSince1970: Double(seconds)).ISO8601Format().dropLast()
            let fraction = DateCheck.padded(Int(count - seconds * 1_000), 3)
            let date = DateParser.date(millisecondsSince1970: count)
            let read = try #require(DateParser.iso8601("\(text).\(fraction)Z"))
            // A Double of seconds around the year 1600 is accurate to two microseconds.
            try #require(abs(read.timeIntervalSince(date)) < 2e-6, "\(count)")
        }
    }
}
