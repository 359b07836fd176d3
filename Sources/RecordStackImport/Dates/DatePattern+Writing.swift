import FoundationEssentials

extension DatePattern {
    /// Returns the text of a date in this pattern, in UTC.
    ///
    /// Parts of the date that the pattern leaves out are lost. Nil for a date outside the years
    /// 0001 to 9999, or outside 1950 to 2049 if the pattern writes two digits of the year.
    func text(of date: Date) -> String? {
        guard let parts = DateWriter.parts(of: date) else { return nil }
        var bytes: [UInt8] = []
        for step in steps {
            if case .shortYear = step, !(1950...2049).contains(parts.year) { return nil }
            if case .literal(let byte) = step {
                bytes.append(byte)
            } else {
                bytes += Self.text(of: step, parts).utf8
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func text(of step: Step, _ parts: DateWriter.Parts) -> String {
        switch step {
        case .literal: ""
        case .year: DateWriter.padded(parts.year, 4)
        case .shortYear: DateWriter.padded(parts.year % 100, 2)
        case .number(let field, let isPadded):
            DateWriter.padded(number(field, parts), isPadded ? 2 : 1)
        case .monthName(let isLong): name(Reader.months[parts.month - 1], isLong)
        // The list starts with Monday.
        case .weekdayName(let isLong): name(Reader.weekdays[(parts.weekday + 6) % 7], isLong)
        case .dayPeriod: parts.hour < 12 ? "AM" : "PM"
        case .fraction(let count):
            (0..<count).map { $0 < parts.fraction.count ? "\(parts.fraction[$0])" : "0" }.joined()
        case .zone(let utc): utc
        }
    }

    private static func number(_ field: Field, _ parts: DateWriter.Parts) -> Int {
        switch field {
        case .month: parts.month
        case .day: parts.day
        case .hour: parts.hour
        case .hourOf12: (parts.hour + 11) % 12 + 1
        case .minute: parts.minute
        case .second: parts.second
        }
    }

    private static func name(_ name: (StaticString, StaticString), _ isLong: Bool) -> String {
        "\(name.0)".capitalized + (isLong ? "\(name.1)" : "")
    }
}
