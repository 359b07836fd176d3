internal import FoundationEssentials

extension DatePattern {
    /// Reads one text by the steps of a pattern.
    struct Reader {
        private var cursor: DateCursor
        private var time = CivilTime()
        private var hourOf12: Int?
        private var isAfternoon = false

        init(_ text: UnsafeRawBufferPointer) {
            cursor = DateCursor(text)
        }

        /// The date after all the steps; nil if there is no such date or if text is left over.
        var date: Date? {
            guard cursor.isAtEnd else { return nil }
            guard let hourOf12 else { return time.date }
            guard (1...12).contains(hourOf12) else { return nil }
            var whole = time
            whole.hour = hourOf12 % 12 + (isAfternoon ? 12 : 0)
            return whole.date
        }

        /// Reads the part of the text that a step describes.
        ///
        /// - Returns: false if the text continues differently.
        mutating func read(_ step: Step) -> Bool {
            switch step {
            case .literal(let byte): cursor.take(byte)
            case .year: Self.set(&time.year, cursor.digits(4))
            case .shortYear: Self.set(&time.year, shortYear())
            case .number(let field, let isPadded):
                read(field, isPadded ? cursor.digits(2) : cursor.oneOrTwoDigits())
            case .monthName: Self.set(&time.month, monthName())
            case .weekdayName: weekdayName()
            case .dayPeriod: dayPeriod()
            case .fraction(let count): Self.set(&time.fraction, cursor.fraction(count))
            case .zone: Self.set(&time.offset, zone())
            }
        }

        private static func set<Value>(_ target: inout Value, _ value: Value?) -> Bool {
            guard let value else { return false }
            target = value
            return true
        }

        /// Returns the year from 1950 to 2049 that ends with the next two digits.
        private mutating func shortYear() -> Int? {
            cursor.digits(2).map { $0 + ($0 < 50 ? 2000 : 1900) }
        }

        private mutating func read(_ field: Field, _ value: Int?) -> Bool {
            guard let value else { return false }
            switch field {
            case .month: time.month = value
            case .day: time.day = value
            case .hour: time.hour = value
            case .hourOf12: hourOf12 = value
            case .minute: time.minute = value
            case .second: time.second = value
            }
            return true
        }

        private mutating func dayPeriod() -> Bool {
            isAfternoon = cursor.takeLetters("pm")
            return isAfternoon || cursor.takeLetters("am")
        }

        /// Returns the offset in seconds, from any of the forms in use.
        private mutating func zone() -> Int? {
            if cursor.takeLetters("utc") || cursor.takeLetters("gmt") {
                guard cursor.peek == UInt8(ascii: "+") || cursor.peek == UInt8(ascii: "-") else {
                    return 0
                }
                return cursor.offset(allowsOneDigit: true)
            }
            return cursor.takeLetters("z") ? 0 : cursor.offset()
        }

        /// Returns the number of the month whose name follows, as three letters or in full.
        private mutating func monthName() -> Int? {
            for (index, (short, rest)) in Self.months.enumerated() where cursor.takeLetters(short) {
                _ = cursor.takeLetters(rest)
                return index + 1
            }
            return nil
        }

        private mutating func weekdayName() -> Bool {
            for (short, rest) in Self.weekdays where cursor.takeLetters(short) {
                _ = cursor.takeLetters(rest)
                return true
            }
            return false
        }

        static let months: [(StaticString, StaticString)] = [
            ("jan", "uary"), ("feb", "ruary"), ("mar", "ch"), ("apr", "il"), ("may", ""),
            ("jun", "e"), ("jul", "y"), ("aug", "ust"), ("sep", "tember"), ("oct", "ober"),
            ("nov", "ember"), ("dec", "ember"),
        ]

        static let weekdays: [(StaticString, StaticString)] = [
            ("mon", "day"), ("tue", "sday"), ("wed", "nesday"), ("thu", "rsday"), ("fri", "day"),
            ("sat", "urday"), ("sun", "day"),
        ]
    }
}
