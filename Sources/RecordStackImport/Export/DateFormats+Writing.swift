import FoundationEssentials
import RecordStackModel

extension DateFormats {
    /// Returns a date in a format; nil if an import would read it as a different date.
    func written(_ date: Date, in format: Format) -> ImportValue? {
        switch format {
        case .iso8601: return DateWriter.iso8601(date).map { .string($0) }
        case .pattern(let pattern):
            guard let text = pattern.text(of: date), read(text) == date else { return nil }
            return .string(text)
        case .seconds: return number(of: date) { $0.timeIntervalSince1970 }
        case .milliseconds: return number(of: date) { $0.milliseconds }
        }
    }

    private func read(_ text: String) -> Date? {
        var text = text
        return text.withUTF8 { date(UnsafeRawBufferPointer($0)) }
    }

    /// Returns the number for a date, such as its seconds since 1970.
    ///
    /// As a number since 1970, a date may lose its last bits, which are some tenths of a
    /// microsecond. An import reads the returned number as a date that an export writes as the
    /// same number again.
    private func number(of date: Date, _ count: (Date) -> Double) -> ImportValue? {
        var number = count(date)
        for _ in 0..<4 {
            guard number.isFinite, let read = JSONNumber.reading(number.json, { self.date($0) }),
                abs(read.timeIntervalSince(date)) <= 4 * date.timeIntervalSince1970.ulp
            else { return nil }
            let again = count(read)
            if again == number { return .number(number.json) }
            number = again
        }
        return nil
    }
}

extension Date {
    /// Milliseconds since 1970, as a whole number if that gives the same date.
    fileprivate var milliseconds: Double {
        let exact = timeIntervalSince1970 * 1_000
        let whole = exact.rounded()
        return Date(timeIntervalSince1970: whole / 1_000) == self ? whole : exact
    }
}
