/// The access to measure on each object.
enum Access: String, CaseIterable {
    case readInt = "Int read"
    case readString = "String read"
    case readToOne = "to-one read"
    case writeInt = "Int write"
    case writeString = "String write"
    case writeToOne = "to-one write"
}

/// Reads or writes one property of a thousand objects repeatedly.
///
/// Objects that are written have unsaved changes already, so that each further write is the usual
/// one. The first write after a save also keeps the old value.
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

    /// Returns the nanoseconds of one access.
    func measure() async throws -> Double {
        try await time() / Double(rounds * data.rows.count)
    }

    func run() throws {
        let sum = side.perform(access, rounds: rounds)
        guard sum == expectedSum &* rounds else { throw Failure("\(name) came to \(sum)") }
    }

    /// The result of a pass over all objects.
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

/// The objects of one side.
///
/// Writing has no lasting effect: each pass writes every property, and the last pass writes
/// the first values.
protocol AccessSide {
    /// Passes over all objects, and returns the sum of the values read.
    func perform(_ access: Access, rounds: Int) -> Int
    /// The values of the objects.
    var rows: [PlayerRow] { get }
}

/// The values to write: the right ones, and the same values rotated by one.
struct Turns<Value> {
    let right: [Value]
    let turned: [Value]

    init(_ right: [Value]) {
        self.right = right
        turned = Array(right.dropFirst() + right.prefix(1))
    }

    /// Calls a closure with the values of each pass, the right ones last.
    func forEachPass(_ rounds: Int, _ body: ([Value]) -> Void) {
        for round in (0..<rounds).reversed() { body(round.isMultiple(of: 2) ? right : turned) }
    }
}
