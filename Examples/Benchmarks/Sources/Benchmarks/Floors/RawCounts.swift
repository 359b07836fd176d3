import GRDBSQLite

/// **raw**: a count and an EXISTS with two bound texts, prepared once.
final class RawCounts: Contender {
    let name: String
    private let question: CountQuestion
    private let ranges: [TextRange]
    private let count: RawStatement
    private let exists: RawStatement

    init(_ lab: Lab, _ question: CountQuestion) throws {
        name = "raw"
        self.question = question
        ranges = TextRange.all(lab)
        let condition = "FROM person WHERE \"email\" >= ? AND \"email\" < ?"
        count = try RawStatement("SELECT count(*) \(condition)", on: lab.floor())
        exists = try RawStatement("SELECT EXISTS (SELECT 1 \(condition))", on: lab.floor())
    }

    @inline(__always)
    private func ask(_ statement: RawStatement, _ range: TextRange) throws -> Int {
        statement.handle.bind(range.lower, at: 1)
        statement.handle.bind(range.upper, at: 2)
        defer { sqlite3_reset(statement.handle) }
        guard sqlite3_step(statement.handle) == SQLITE_ROW else {
            throw statement.connection.failure()
        }
        return Int(sqlite3_column_int64(statement.handle, 0))
    }

    func run() throws {
        var (sum, hits) = (0, 0)
        for range in ranges {
            if question.counts { sum += try ask(count, range) }
            if question.asksWhether { hits += try ask(exists, range) }
        }
        guard sum > 0 || hits == ranges.count else { throw Failure("raw found nothing") }
    }

    func fingerprint() throws -> Fingerprint {
        Fingerprint(
            ofAnswers: try ranges.map { (try ask(count, $0), try ask(exists, $0) != 0) })
    }
}
