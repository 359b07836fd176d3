/// The rows, which are the same for every contender, every run and every machine.
struct PersonData: Sendable {
    let persons: [PersonRow]
    /// Every unique text once, in random order.
    let shuffledEmails: [String]
    /// The fingerprint of all persons.
    let fingerprint: Fingerprint

    init(scale: Scale) {
        var generator = SplitMix64(seed: 42)
        persons = (1...scale.persons).map { index in
            Self.person(Int64(index), &generator)
        }
        shuffledEmails = persons.map(\.email).shuffled(using: &generator)
        fingerprint = Fingerprint(of: persons)
    }

    /// Returns the row with a number from 0.
    ///
    /// The persons repeat endlessly, with a unique text that grows with the number.
    func row(_ number: Int) -> PersonRow {
        var row = persons[number % persons.count]
        let digits = String(number, radix: 36)
        row.email = String(repeating: "0", count: 7 - digits.utf8.count) + digits + "@a.io"
        return row
    }

    private static func person(
        _ key: Int64, _ generator: inout SplitMix64
    ) -> PersonRow {
        PersonRow(
            key: key,
            email: email(key),
            firstName: word(3...15, &generator),
            lastName: word(3...15, &generator),
            city: word(26...26, &generator),
            age: .random(in: 18...99, using: &generator),
            visits: .random(in: 0..<1_000_000, using: &generator),
            score: Double(Int.random(in: 0..<100_000, using: &generator)) / 1_000,
            balance: Double(Int.random(in: -5_000_000..<5_000_000, using: &generator)) / 100,
            isActive: Bool.random(using: &generator),
            note: Bool.random(using: &generator) ? word(4...15, &generator) : nil,
            company: Int64.random(in: 1...1_000, using: &generator))
    }

    /// Returns a text of twelve bytes, which scatters the keys.
    ///
    /// Multiplying by an odd number permutes the numbers of 36 bits, and seven digits of base 36
    /// hold any of them.
    private static func email(_ key: Int64) -> String {
        let scattered = (UInt64(key) &* 0x9E37_79B9_7F4A_7C15) & 0xF_FFFF_FFFF
        let digits = String(scattered, radix: 36)
        return String(repeating: "0", count: 7 - digits.utf8.count) + digits + "@a.io"
    }

    private static func word(
        _ length: ClosedRange<Int>, _ generator: inout SplitMix64
    ) -> String {
        let count = Int.random(in: length, using: &generator)
        let bytes = (0..<count).map { position in
            UInt8.random(in: 0..<26, using: &generator)
                + UInt8(ascii: position == 0 ? "A" : "a")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
