/// The number of rows, and a checksum over all their columns that does not depend on their order.
///
/// The key is left out, because each store numbers its rows itself. The unique text
/// identifies the row.
struct Fingerprint: Equatable, CustomStringConvertible, Sendable {
    private(set) var count = 0
    private var sum: UInt64 = 0

    var description: String { "(\(count) rows, \(String(sum, radix: 16)))" }

    mutating func add(_ row: PersonRow) {
        var hash = RowHash()
        hash.add(row.email)
        hash.add(row.firstName)
        hash.add(row.lastName)
        hash.add(row.city)
        hash.add(UInt64(bitPattern: Int64(row.age)))
        hash.add(UInt64(bitPattern: Int64(row.visits)))
        hash.add(row.score.bitPattern)
        hash.add(row.balance.bitPattern)
        hash.add(row.isActive ? 1 : 0)
        hash.add(row.note == nil ? 0 : 1)
        hash.add(row.note ?? "")
        hash.add(UInt64(bitPattern: row.company))
        count += 1
        sum &+= hash.value
    }

    /// Adds a note of the person with a unique text.
    mutating func add(_ row: NoteRow, of person: String) {
        var hash = RowHash()
        hash.add(row.text)
        hash.add(UInt64(bitPattern: Int64(row.stars)))
        hash.add(person)
        count += 1
        sum &+= hash.value
    }

    /// Adds a tag of the person with a unique text.
    mutating func add(_ tag: TagRow, of person: String) {
        var hash = RowHash()
        hash.add(tag.name)
        hash.add(UInt64(bitPattern: Int64(tag.number)))
        hash.add(person)
        count += 1
        sum &+= hash.value
    }

    mutating func add(_ row: PlayerRow) {
        var hash = RowHash()
        hash.add(UInt64(bitPattern: Int64(row.number)))
        hash.add(row.name)
        hash.add(UInt64(bitPattern: Int64(row.team)))
        count += 1
        sum &+= hash.value
    }
}

extension Fingerprint {
    /// Creates a fingerprint of the results of counts and existence checks, in order.
    init(ofAnswers answers: [(count: Int, exists: Bool)]) {
        self.init()
        var hash = RowHash()
        for answer in answers {
            hash.add(UInt64(bitPattern: Int64(answer.count)))
            hash.add(answer.exists ? 1 : 0)
        }
        count = answers.count
        sum = hash.value
    }

    init(of rows: some Sequence<PersonRow>) {
        self.init()
        for row in rows { add(row) }
    }

    init(of rows: some Sequence<PlayerRow>) {
        self.init()
        for row in rows { add(row) }
    }
}

/// A hash of one row, which depends on the order of the columns.
private struct RowHash {
    private(set) var value: UInt64 = 42

    mutating func add(_ bits: UInt64) {
        value = SplitMix64.mix(value ^ bits) &+ 0x9E37_79B9_7F4A_7C15
    }

    mutating func add(_ text: String) {
        add(UInt64(text.utf8.count))
        for byte in text.utf8 { add(UInt64(byte)) }
    }
}
