extension DatePattern {
    /// Compiles the text of a pattern into steps.
    struct Compiler {
        private let characters: [Character]
        private var index = 0
        private var steps: [Step] = []
        private var named: Set<Part> = []
        /// The letter of the last step with a letter, for the error about its width.
        private var lastLetter: Character = " "

        /// The parts of a date, each of which a pattern may name once.
        ///
        /// All the letters for the offset are one part, as are `H` and `h`.
        private enum Part {
            case year, month, day, weekday, hour, dayPeriod, minute, second, fraction, zone
        }

        init(_ source: String) {
            characters = Array(source)
        }

        mutating func compile() throws(DatePatternError) -> [Step] {
            while index < characters.count {
                let character = characters[index]
                if character == "'" {
                    try readQuote()
                } else if character.isASCII, character.isLetter {
                    try readLetters(character)
                } else {
                    try append(literal: character)
                    index += 1
                }
            }
            guard !named.isEmpty else { throw .noFields }
            let countsTo12 = steps.contains {
                if case .number(.hourOf12, _) = $0 { true } else { false }
            }
            guard !countsTo12 || named.contains(.dayPeriod) else { throw .missingDayPeriod }
            return steps
        }

        /// Reads a quoted text. Two quotes are one literal quote, inside a quoted text and outside.
        private mutating func readQuote() throws(DatePatternError) {
            index += 1
            if index < characters.count, characters[index] == "'" {
                try append(literal: "'")
                index += 1
                return
            }
            while index < characters.count {
                let character = characters[index]
                index += 1
                if character == "'" {
                    guard index < characters.count, characters[index] == "'" else { return }
                    index += 1
                }
                try append(literal: character)
            }
            throw .unterminatedQuote
        }

        private mutating func readLetters(_ letter: Character) throws(DatePatternError) {
            let begin = index
            while index < characters.count, characters[index] == letter { index += 1 }
            let count = index - begin
            guard let (part, counts) = Self.part(letter) else { throw .unsupportedLetter(letter) }
            guard counts.contains(count) else {
                throw .unsupportedCount(letter: letter, count: count)
            }
            guard named.insert(part).inserted else { throw .repeatedField(letter: letter) }
            let step = Self.step(letter, part, count)
            if Self.beginsWithDigit(step) { try checkWidth() }
            steps.append(step)
            lastLetter = letter
        }

        private mutating func append(literal: Character) throws(DatePatternError) {
            if literal.isASCII, literal.isWholeNumber { try checkWidth() }
            steps += literal.utf8.map { .literal($0) }
        }

        /// Checks that the last step has a fixed width, which is necessary before digits.
        private func checkWidth() throws(DatePatternError) {
            switch steps.last {
            case .number(_, isPadded: false), .zone: throw .ambiguousWidth(letter: lastLetter)
            default: break
            }
        }

        private static func beginsWithDigit(_ step: Step) -> Bool {
            switch step {
            case .year, .shortYear, .number, .fraction: true
            default: false
            }
        }

        /// Returns the part that a letter means, and how many of it may follow one another.
        private static func part(_ letter: Character) -> (Part, Set<Int>)? {
            switch letter {
            case "y": (.year, [1, 2, 4])
            case "M": (.month, [1, 2, 3, 4])
            case "d": (.day, [1, 2])
            case "E": (.weekday, [1, 2, 3, 4])
            case "H", "h": (.hour, [1, 2])
            case "a": (.dayPeriod, [1, 2, 3])
            case "m": (.minute, [1, 2])
            case "s": (.second, [1, 2])
            case "S": (.fraction, Set(1...9))
            case "Z", "X", "x": (.zone, [1, 2, 3, 4, 5])
            case "z": (.zone, [1, 2, 3, 4])
            default: nil
            }
        }

        private static func step(_ letter: Character, _ part: Part, _ count: Int) -> Step {
            let isPadded = count == 2
            return switch part {
            case .year: isPadded ? .shortYear : .year
            case .month:
                count > 2 ? .monthName(isLong: count == 4) : .number(.month, isPadded: isPadded)
            case .day: .number(.day, isPadded: isPadded)
            case .weekday: .weekdayName(isLong: count == 4)
            case .hour: .number(letter == "H" ? .hour : .hourOf12, isPadded: isPadded)
            case .dayPeriod: .dayPeriod
            case .minute: .number(.minute, isPadded: isPadded)
            case .second: .number(.second, isPadded: isPadded)
            case .fraction: .fraction(count)
            case .zone: .zone(utc: utc(letter, count))
            }
        }

        /// Returns the text for UTC that the letters for the offset write.
        private static func utc(_ letter: Character, _ count: Int) -> String {
            switch (letter, count) {
            case ("X", _), ("Z", 5): "Z"
            case ("z", _): "UTC"
            case ("Z", 4): "GMT"
            case ("x", 1): "+00"
            case ("x", 3), ("x", 5): "+00:00"
            default: "+0000"
            }
        }
    }
}
