import Foundation
import RecordStackImport
import Testing

/// Dates in patterns.
@Suite("Parsing of dates by pattern") struct DateParsingPatternTests {
    private static let common = [
        "yyyy-MM-dd", "yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd'T'HH:mm:ssZ", "MMM dd yyyy",
        "yyyy-MM-dd'T'HH:mm:ssXXX", "yyyy-MM-dd HH:mm:ss xx", "EEE MMM dd HH:mm:ss Z yyyy",
        "EEEE, MMMM d, y", "M/d/yy h:mm a", "MM/dd/yyyy hh:mm:ss a", "yyyyMMddHHmmss", "yyMMdd",
        "d MMM yyyy 'at' H 'o''clock'", "EEE, dd MMM yyyy HH:mm:ss z", "s,m,H;d.M.yyyy",
        "a h y MMMM",
        "yyyy-MM-dd'T'HH:mm:ssZZZZZ", "dd.MM.yyyy (HH'h'mm)", "E, d/M/yyyy", "[yyyy] é MMM",
    ]

    @Test(arguments: common)
    func `a date pattern reads random moments as DateFormatter does`(_ pattern: String) throws {
        var random = DateCheck.random(pattern)
        let formatter = DateCheck.formatter(pattern)
        let ours = try DatePattern(pattern)
        for _ in 0..<200 {
            let minutes = Int.random(in: -14 * 60...14 * 60, using: &random)
            let zoned = pattern.contains { "ZXxz".contains($0) }
            formatter.timeZone = TimeZone(secondsFromGMT: zoned ? minutes * 60 : 0)
            let text = formatter.string(from: DateCheck.moment(&random))
            let expected = try #require(formatter.date(from: text), "\(text)")
            try #require(ours.date(from: text) == expected, "\(pattern): \(text)")
        }
    }

    @Test(arguments: 1...9)
    func `a date's fraction must have as many digits as its pattern`(_ count: Int) throws {
        var random = DateCheck.random("S × \(count)")
        let pattern = try DatePattern("ss." + String(repeating: "S", count: count))
        let power = (0..<count).reduce(1) { power, _ in power * 10 }
        for _ in 0..<200 {
            let fraction = Int.random(in: 0..<power, using: &random)
            let text = "07.\(DateCheck.padded(fraction, count))"
            // 2000-01-01T00:00:07Z, in a leap year before 2001.
            let exact = Int128(-31_622_393) * Int128(power) + Int128(fraction)
            let read = pattern.date(from: text)?.timeIntervalSinceReferenceDate
            try #require(read == DateCheck.nearest(exact, places: count), "\(text)")
            #expect(pattern.date(from: text + "0") == nil)
            #expect(pattern.date(from: String(text.dropLast())) == nil)
        }
    }

    @Test(arguments: [
        ("yyyy-MM-dd", "2018-02-07", "2018-02-07"), ("MMM dd yyyy", "Jun 12 1998", "1998-06-12"),
        ("MMM dd yyyy", "JUNE 12 1998", "1998-06-12"), ("MMMM d y", "jun 1 1998", "1998-06-01"),
        ("MMM d y", "May 31 1998", "1998-05-31"), ("MMM-d-yy", "sep-9-49", "2049-09-09"),
        ("MMM-d-yy", "September-9-50", "1950-09-09"), ("yy", "00", "2000-01-01"),
        ("M/d/yyyy", "01/05/2018", "2018-01-05"), ("M/d/yyyy", "1/5/2018", "2018-01-05"),
        ("HH:mm", "10:11", "2000-01-01T10:11:00Z"), ("MM-dd", "02-29", "2000-02-29"),
        ("h a", "12 AM", "2000-01-01"), ("h a", "12 pm", "2000-01-01T12:00:00Z"),
        ("h a", "1 AM", "2000-01-01T01:00:00Z"), ("hha", "11Pm", "2000-01-01T23:00:00Z"),
        ("HH:mm a", "13:05 AM", "2000-01-01T13:05:00Z"), ("HH:mm", "24:00", "2000-01-02"),
        ("EEE, d MMM y", "Sunday, 7 February 2018", "2018-02-07"),
        ("HH:mm z", "10:00 GMT", "2000-01-01T10:00:00Z"),
        ("HH:mmz", "10:00Z", "2000-01-01T10:00:00Z"),
        ("HH:mm z", "10:00 utc", "2000-01-01T10:00:00Z"),
        ("HH:mmX", "10:00+01", "2000-01-01T09:00:00Z"),
        ("HH:mm z", "10:00 GMT+1", "2000-01-01T09:00:00Z"),
        ("HH:mm ZZZZ", "10:00 GMT-01:30", "2000-01-01T11:30:00Z"),
        ("HH:mm Z", "10:00 +01:00", "2000-01-01T09:00:00Z"),
        ("Z yyyy", "+0100 2000", "1999-12-31T23:00:00Z"),
        ("'yyyy' yyyy", "yyyy 2000", "2000-01-01"),
        ("yyyy''MM", "2000'03", "2000-03-01"), ("'it''s' yyyy", "it's 2000", "2000-01-01"),
        ("yyyy年M月d日", "2018年2月7日", "2018-02-07"), ("HH:mm:ss", "23:59:60", "2000-01-02"),
    ])
    func `a date pattern reads a text that fits`(
        _ pattern: String, _ text: String, _ iso: String
    ) throws {
        let date = try DatePattern(pattern).date(from: text)
        #expect(date != nil)
        #expect(date == DateParser.iso8601(iso))
    }

    @Test(arguments: [
        ("yyyy-MM-dd", "2018-2-7"), ("yyyy-MM-dd", "2018-02-07x"), ("yyyy-MM-dd", " 2018-02-07"),
        ("yyyy-MM-dd", "18-02-07"), ("yyyy-MM-dd", "2018-02-30"), ("yyyy-MM-dd", "2018-13-01"),
        ("yyyy-MM-dd", "20180-02-03"), ("yyyy-MM-dd", "2018/02/07"), ("yyyy-MM-dd", ""),
        ("yyyy", "0000"), ("yy", "2018"), ("yy", "1"), ("M", "0"), ("M", "13"), ("M", "123"),
        ("d", "00"), ("d", "32"), ("MMM", "Ju"), ("MMM", "Juno"), ("MMM", "Sept"), ("MMM", "6"),
        ("MMM", "J\u{55}\u{0}"), ("EEE", "Xyz"), ("EEE yyyy", "Weds 2018"), ("h a", "0 AM"),
        ("h a", "13 AM"), ("h a", "1 XM"), ("h a", "1"), ("HH", "25"), ("mm", "60"), ("ss", "61"),
        ("HH:mm", "24:01"), ("ss.SSS", "01.12"), ("ss.SSS", "01.1234"), ("ss.SSS", "01.12a"),
        ("HH:mm Z", "10:00 "), ("HH:mm Z", "10:00 EST"), ("HH:mm Z", "10:00 +1"),
        ("HH:mm Z", "10:00 +24:00"), ("HH:mm z", "10:00 GMT+"), ("yyyy  MM", "2018 02"),
        ("yyyy MM", "2018  02"), ("'T'HH", "t10"), ("yyyy.", "2018"),
    ])
    func `a date pattern returns nil for a text that does not fit`(
        _ pattern: String, _ text: String
    ) throws {
        #expect(try DatePattern(pattern).date(from: text) == nil)
    }

    @Test(
        arguments: [
            ("yyyy-MM-ddTHH:mm", DatePatternError.unsupportedLetter("T")),
            ("YYYY-MM-dd", .unsupportedLetter("Y")), ("yyyy-DDD", .unsupportedLetter("D")),
            ("kk:mm", .unsupportedLetter("k")), ("yyyy-'W'ww", .unsupportedLetter("w")),
            ("HH:mm VV", .unsupportedLetter("V")), ("yyyy G", .unsupportedLetter("G")),
            ("yyy", .unsupportedCount(letter: "y", count: 3)),
            ("yyyyy", .unsupportedCount(letter: "y", count: 5)),
            ("MMMMM", .unsupportedCount(letter: "M", count: 5)),
            ("HHH", .unsupportedCount(letter: "H", count: 3)),
            ("SSSSSSSSSS", .unsupportedCount(letter: "S", count: 10)),
            ("EEEEE", .unsupportedCount(letter: "E", count: 5)),
            ("yyyy yy", .repeatedField(letter: "y")), ("H h a", .repeatedField(letter: "h")),
            ("Z X", .repeatedField(letter: "X")), ("MM MMM", .repeatedField(letter: "M")),
            ("Mdyyyy", .ambiguousWidth(letter: "M")), ("Hmm", .ambiguousWidth(letter: "H")),
            ("d'1'", .ambiguousWidth(letter: "d")), ("Zyyyy", .ambiguousWidth(letter: "Z")),
            ("hh:mm", .missingDayPeriod), ("h 'a'", .missingDayPeriod),
            ("yyyy 'x", .unterminatedQuote),
            ("'", .unterminatedQuote), ("", .noFields), ("'text'", .noFields), ("--", .noFields),
        ] as [(String, DatePatternError)])
    func `creating an invalid date pattern throws the reason`(
        _ pattern: String, _ error: DatePatternError
    ) {
        #expect(throws: error) { try DatePattern(pattern) }
    }

    @Test func `the error for an invalid date pattern names the letter`() {
        for (pattern, letter) in [
            ("q", "'q'"), ("MMMMM", "'M'"), ("yyyy yy", "'y'"), ("sS", "'s'"),
        ] {
            #expect {
                try DatePattern(pattern)
            } throws: {
                "\($0)".contains(letter)
            }
        }
    }

    @Test func `a date pattern supports every letter or refuses it by name`() {
        let supported = "yMdEHhamsSZXxz"
        for byte in UInt8(ascii: "A")...UInt8(ascii: "z") {
            let letter = Character(Unicode.Scalar(byte))
            guard letter.isLetter else { continue }
            let error: DatePatternError? =
                if supported.contains(letter) {
                    letter == "h" ? .missingDayPeriod : nil
                } else {
                    .unsupportedLetter(letter)
                }
            if let error {
                #expect(throws: error) { try DatePattern("\(letter)") }
            } else {
                #expect(throws: Never.self) { try DatePattern("\(letter)") }
            }
        }
    }

    @Test func `a date pattern is stricter than DateFormatter in known cases`() throws {
        for (pattern, text) in [
            ("yyyy-MM-dd", "2018-2-3"), ("yyyy-MM-dd", " 2018-02-03"), ("yyyy MM", "2018   03"),
            ("yyyy-MM-dd", "18-02-03"), ("h a", "0 AM"), ("h a", "5 p"), ("ss.SSS", "01.1234"),
        ] {
            #expect(DateCheck.formatter(pattern).date(from: text) != nil, "\(text)")
            #expect(try DatePattern(pattern).date(from: text) == nil, "\(text)")
        }
        // Before the calendar reform, DateFormatter uses the Julian calendar.
        let old = DateCheck.formatter("yyyy-MM-dd").date(from: "1500-03-01")
        #expect(old == DateParser.iso8601("1500-03-11"))
    }
}
