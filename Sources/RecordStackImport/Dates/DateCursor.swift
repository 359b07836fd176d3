/// A reader of a date's text, from its beginning and part by part.
///
/// After a part that does not match, the position of the cursor is undefined, and the caller
/// must stop reading.
struct DateCursor {
    private let bytes: UnsafeRawBufferPointer
    private var index = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    @inline(__always) var isAtEnd: Bool { index == bytes.count }

    /// The next byte, or 0 at the end. No part of a date starts with 0.
    @inline(__always) var peek: UInt8 { index < bytes.count ? bytes[index] : 0 }

    @inline(__always) mutating func skip(_ count: Int) { index += count }

    @inline(__always)
    mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    /// Reads exactly `count` digits and returns their value.
    @inline(__always)
    mutating func digits(_ count: Int) -> Int? {
        guard bytes.count - index >= count else { return nil }
        var value = 0
        for digitIndex in index..<index + count {
            let digit = bytes[digitIndex] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            value = value * 10 + Int(digit)
        }
        index += count
        return value
    }

    /// Reads one digit, or two if there are two, and returns their value.
    mutating func oneOrTwoDigits() -> Int? {
        guard let first = digits(1) else { return nil }
        guard let second = digits(1) else { return first }
        return first * 10 + second
    }

    /// Reads exactly `count` digits of a fraction; without a count, all digits, at least one.
    mutating func fraction(_ count: Int? = nil) -> DateFraction? {
        let begin = index
        let end = count.map { begin + $0 } ?? bytes.count
        guard end <= bytes.count else { return nil }
        while index < end, bytes[index] &- UInt8(ascii: "0") <= 9 { index += 1 }
        guard count == nil ? index > begin : index == end else { return nil }
        return DateFraction(UnsafeRawBufferPointer(rebasing: bytes[begin..<index]))
    }

    /// Reads an offset such as `+hh`, `-hhmm` or `+hh:mm` and returns it in seconds.
    mutating func offset(allowsOneDigit: Bool = false) -> Int? {
        let isWest = take(UInt8(ascii: "-"))
        guard isWest || take(UInt8(ascii: "+")) else { return nil }
        guard let hours = allowsOneDigit ? oneOrTwoDigits() : digits(2) else { return nil }
        var minutes = 0
        if take(UInt8(ascii: ":")) {
            guard let read = digits(2) else { return nil }
            minutes = read
        } else {
            minutes = digits(2) ?? 0
        }
        guard hours <= 23, minutes <= 59 else { return nil }
        let seconds = hours * 3_600 + minutes * 60
        return isWest ? -seconds : seconds
    }

    /// Returns true if the next bytes are these letters in any case, and skips them.
    ///
    /// - Parameter letters: the letters in lower case.
    mutating func takeLetters(_ letters: StaticString) -> Bool {
        let count = letters.utf8CodeUnitCount
        guard bytes.count - index >= count else { return false }
        // Setting the bit turns capitals into small letters, and no other byte into a letter.
        for letter in 0..<count where bytes[index + letter] | 0x20 != letters.utf8Start[letter] {
            return false
        }
        index += count
        return true
    }
}
