import Foundation
import RecordStackImport
import Testing

/// Dates in ISO 8601.
@Suite("Parsing of ISO 8601 dates") struct DateParsingISOTests {
    @Test(
        arguments: [
            ("2001-01-01", 0), ("2001-01-01T00:00:00Z", 0), ("2000-12-31T23:59:59Z", -1),
            ("1970-01-01T00:00:00Z", -978_307_200), ("1969-12-31T23:59:59Z", -978_307_201),
            ("2018-02-07", 539_654_400), ("2018-02-07T01:26:13Z", 539_659_573),
            ("2018-02-07t01:26:13z", 539_659_573), ("2018-02-07 01:26:13", 539_659_573),
            ("2018-02-07T01:26:13", 539_659_573), ("2018-02-07T01:26Z", 539_659_560),
            ("2018-02-07T01:26:13+01:00", 539_655_973), ("2018-02-07T01:26:13+0100", 539_655_973),
            ("2018-02-07T01:26:13+01", 539_655_973), ("2018-02-07T01:26:13-01:30", 539_664_973),
            ("2018-02-07T01:26:13+14:00", 539_609_173), ("2018-02-07T01:26:13-14:00", 539_709_973),
            ("2018-02-07T01:26:13-00:00", 539_659_573), ("2018-02-07T01:26:13+23:59", 539_573_233),
            ("2018-02-07T24:00:00Z", 539_740_800), ("2018-02-08T00:00:00Z", 539_740_800),
            ("2018-02-07T24:00:00.000Z", 539_740_800), ("2018-12-31T24:00", 567_993_600),
            ("2016-12-31T23:59:60Z", 504_921_600), ("2017-01-01T00:00:00Z", 504_921_600),
            ("2016-12-31T23:59:60.5Z", 504_921_600.5), ("2017-01-01T05:29:60+05:30", 504_921_600),
            ("2018-02-07T01:26:13.5Z", 539_659_573.5), ("2018-02-07T01:26:13,25Z", 539_659_573.25),
            ("2018-02-07T01:26:13.125000000000000000000000000Z", 539_659_573.125),
            ("2000-02-29", -26_524_800), ("2004-02-29", 99_705_600), ("2100-02-28", 3_129_148_800),
            ("2100-03-01", 3_129_235_200), ("0001-01-01", -63_113_904_000),
            ("0001-01-01T00:00:00+14:00", -63_113_954_400), ("0004-02-29", -63_014_198_400),
            ("1582-10-10", -13_198_032_000), ("1600-02-29", -12_649_305_600),
            ("9999-12-31T23:59:59Z", 252_423_993_599), ("9999-12-31T24:00:00Z", 252_423_993_600),
        ] as [(String, Double)])
    func `the date parser reads a valid ISO 8601 moment`(_ text: String, _ seconds: Double) {
        #expect(DateParser.iso8601(text)?.timeIntervalSinceReferenceDate == seconds)
    }

    @Test(arguments: [
        "", "2", "2018", "2018-02", "2018-2-7", "2018-02-7", "18-02-07", "20180207", "2018/02/07",
        "02-07-2018", "2018-00-01", "2018-13-01", "2018-01-00", "2018-01-32", "2018-04-31",
        "2018-02-29", "1900-02-29", "2100-02-29", "2000-02-30", "0000-01-01", "10000-01-01",
        "-2018-01-01", "+2018-01-01", " 2018-02-07", "2018-02-07 ", "2018-02-07T", "2018-02-07Z",
        "2018-02-07T1", "2018-02-07T01", "2018-02-07T01Z", "2018-02-07T1:26:13Z",
        "2018-02-07T01:2", "2018-02-07T01:26:", "2018-02-07T01:26:1Z", "2018-02-07T01:26:13.",
        "2018-02-07T01:26:13.Z", "2018-02-07T01:26:13.5.5Z", "2018-02-07T25:00:00Z",
        "2018-02-07T24:00:01Z", "2018-02-07T24:01:00Z", "2018-02-07T24:00:00.1Z",
        "2018-02-07T24:00:00.0000000000000000000001Z", "2018-02-07T23:60:00Z",
        "2018-02-07T23:59:61Z", "2018-02-07T23:59:99Z", "2018-02-07T01:26:13ZZ",
        "2018-02-07T01:26:13Z ", "2018-02-07T01:26:13 Z", "2018-02-07T01:26:13+",
        "2018-02-07T01:26:13+1", "2018-02-07T01:26:13+01:", "2018-02-07T01:26:13+01:0",
        "2018-02-07T01:26:13+010", "2018-02-07T01:26:13+01:000", "2018-02-07T01:26:13+24:00",
        "2018-02-07T01:26:13+00:60", "2018-02-07T01:26:13UTC", "2018-02-07T01:26:13\u{0}",
        "2018-02-07_01:26:13", "2018-02-07TT01:26:13", "2018-02-07T01-26-13Z", "2018-02-07T01.5Z",
        "２018-02-07", "2018‐02‐07", "2018-02-07T01:26:13−01:00", "20a8-02-07", "2018-W06-3",
        "2018-038", "today", "null", "1517966773", "2018-02-07\n", "٢٠١٨-٠٢-٠٧",
    ])
    func `the date parser returns nil for text that is no ISO 8601 moment`(_ text: String) {
        #expect(DateParser.iso8601(text) == nil)
    }

    @Test func `the date parser reads the days of the years 1 to 9999 as consecutive`() throws {
        var days = -730_485
        for year in 1...9999 {
            // The Gregorian rule, computed independently: every fourth year, and every fourth year
            // that ends in 00.
            let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            for (index, length) in lengths.enumerated() {
                let month = "\(DateCheck.padded(year, 4))-\(DateCheck.padded(index + 1, 2))-"
                let first = DateParser.iso8601(month + "01")?.timeIntervalSinceReferenceDate
                let last = DateParser.iso8601(month + "\(length)")?.timeIntervalSinceReferenceDate
                try #require(first == Double(days) * 86_400, "\(month)")
                try #require(last == Double(days + length - 1) * 86_400, "\(month)")
                try #require(DateParser.iso8601(month + "\(length + 1)") == nil, "\(month)")
                days += length
            }
        }
    }

    @Test func `the date parser reads random ISO 8601 moments as Foundation does`() throws {
        var random = DateCheck.random("ISO 8601")
        for _ in 0..<5_000 {
            let date = DateCheck.moment(&random)
            let minutes = Int.random(in: -14 * 60...14 * 60, using: &random)
            let zone = try #require(TimeZone(secondsFromGMT: minutes * 60))
            let separator: Date.ISO8601FormatStyle.TimeZoneSeparator =
                Bool.random(using: &random) ? .colon : .omitted
            let style = Date.ISO8601FormatStyle(timeZoneSeparator: separator, timeZone: zone)
            let text = date.formatted(style)
            try #require(try style.parse(text) == date)
            try #require(DateParser.iso8601(text) == date, "\(text)")
        }
    }

    @Test func `the date parser reads fractions of any length as the nearest Double`() throws {
        var random = DateCheck.random("ISO 8601 fractions")
        for round in 0..<20_000 {
            let count = Int.random(in: 1...26, using: &random)
            let digits = (0..<count).map { _ in UInt8.random(in: 0...9, using: &random) }
            let fraction = digits.reduce(0 as Int128) { $0 * 10 + Int128($1) }
            // A Double has the most digits close to 2001, where the sum is hardest.
            let range = round % 2 == 0 ? -3...3 : -62_135_596_800...252_423_993_599
            let seconds = Int.random(in: range, using: &random)
            let date = Date(timeIntervalSinceReferenceDate: Double(seconds))
            guard date.timeIntervalSinceReferenceDate > -13_190_774_400 else { continue }
            let text =
                String(date.ISO8601Format().dropLast()) + "."
                + digits.map { String($0) }.joined() + "Z"
            let power = (0..<count).reduce(1 as Int128) { power, _ in power * 10 }
            let expected = DateCheck.nearest(Int128(seconds) * power + fraction, places: count)
            let read = DateParser.iso8601(text)?.timeIntervalSinceReferenceDate
            try #require(read == expected, "\(text)")
        }
    }

    @Test func `the last digit of a parsed date breaks a tie between two Doubles`() {
        // 2018 is more than 2^29 seconds after 2001. A Double of that size has 23 bits for the
        // fraction, and 2^-24 lies between two of them.
        let tie = "2018-02-07T01:26:13.000000059604644775390625"
        let base = 539_659_573.0
        #expect(DateParser.iso8601(tie)?.timeIntervalSinceReferenceDate == base)
        let above = DateParser.iso8601(tie + "0000000000000000000001Z")
        #expect(above?.timeIntervalSinceReferenceDate == base.nextUp)
        let below = DateParser.iso8601(String(tie.dropLast()) + "4999Z")
        #expect(below?.timeIntervalSinceReferenceDate == base)
    }

    @Test func `the date parser reads bytes only up to the end of its buffer`() {
        let bytes = Array("2018-02-07T01:26:13.5+01:00".utf8)
        let whole = DateParser.iso8601("2018-02-07T01:26:13.5+01:00")
        // The date is created before the pointer becomes invalid.
        bytes.withUnsafeBytes { buffer in
            #expect(DateParser.iso8601(buffer) == whole)
            let day = UnsafeRawBufferPointer(rebasing: buffer[..<10])
            #expect(DateParser.iso8601(day) == DateParser.iso8601("2018-02-07"))
            #expect(DateParser.iso8601(UnsafeRawBufferPointer(start: nil, count: 0)) == nil)
        }
    }
}
