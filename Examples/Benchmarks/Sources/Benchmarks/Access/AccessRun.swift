/// What is done with each object.
enum Access: String, CaseIterable {
    case readInt = "Int read"
    case readString = "String read"
    case readToOne = "to-one read"
    case writeInt = "Int write"
    case writeString = "String write"
    case writeToOne = "to-one write"
}

/// Reads or writes one property of a thousand objects, again and again.
///
/// An object that is written has been written before, so that each further write is the usual one:
/// the first one since a save also keeps the old value.
final class AccessRun<Side: AccessSide>: Contender {
    let name: String
    private let access: Access
    private let side: Side
    private let data: PlayerData
    private let rounds: Int

    init(_ access: Access, _ side: Side, name: String, data: PlayerData, rounds: Int) {
        self.access = access
        self.side = side
        self.name = name
        self.data = data
        self.rounds = rounds
    }

    /// Nanoseconds of one access.
    func measure() async throws -> Double {
        try await time() / Double(rounds * data.rows.count)
    }

    func run() throws {
        let sum = side.perform(access, rounds: rounds)
        guard sum == expectedSum &* rounds else { throw Failure("\(name) came to \(sum)") }
    }

    /// What a pass over all objects comes to.
    private var expectedSum: Int {
        switch access {
        case .readInt: data.rows.reduce(0) { $0 &+ $1.number }
        case .readString: data.rows.reduce(0) { $0 + $1.name.utf8.count }
        case .readToOne: data.rows.count { $0.team == 0 }
        case .writeInt, .writeString, .writeToOne: 0
        }
    }

    func fingerprint() throws -> Fingerprint {
        try run()
        return Fingerprint(of: side.rows)
    }
}

/// The objects of one side. Writing leaves what was there: each pass writes every property anew, the
/// last one with its first value.
protocol AccessSide {
    /// Passes over all objects; returns the sum of what was read.
    func perform(_ access: Access, rounds: Int) -> Int
    /// What the objects hold.
    var rows: [PlayerRow] { get }
}

/// Values to be written: the right ones, and the same turned by one.
struct Turns<Value> {
    let right: [Value]
    let turned: [Value]

    init(_ right: [Value]) {
        self.right = right
        turned = Array(right.dropFirst() + right.prefix(1))
    }

    /// The values of each pass, the right ones last.
    func forEachPass(_ rounds: Int, _ body: ([Value]) -> Void) {
        for round in (0..<rounds).reversed() { body(round.isMultiple(of: 2) ? right : turned) }
    }
}
