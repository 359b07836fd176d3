import RecordStackModel

/// A query to the store, as a value.
enum StoreQuestion: Hashable, Sendable {
    case rows(StoreRequest)
    case keys(StoreRequest)
    case members(MemberRequest)
}

/// The rows or members that a query returns, as a value.
struct StoreAnswer: Sendable {
    struct Head: Sendable {
        let key: Int64
        let version: RowVersion
        let entity: Int
        /// The row's index among the rows of its entity.
        let row: Int
    }

    struct Member: Sendable {
        let key: Int64
        let owner: Int64
        var position: Int64
    }

    private var heads: [Head] = []
    private var values: [Int: RowBatch] = [:]
    private var members: [Member] = []

    private init() {}

    init(_ question: StoreQuestion, from reader: any StoreReader) throws {
        let sink = AnswerSink(copiesRows: question.wantsRows)
        switch question {
        case .rows(let request): try reader.rows(request, into: sink)
        case .keys(let request): try reader.keys(request, into: sink)
        case .members(let request): try reader.members(request, into: sink)
        }
        (heads, values, members) = (sink.heads, sink.values, sink.members)
    }

    /// Returns the answer with other values in its rows.
    ///
    /// - Parameter change: changes a row's values and returns the row's version; nil to leave the
    ///   row out.
    func setBack(
        _ change: (inout [StoredValue], Int64, RowVersion) -> RowVersion?
    ) -> StoreAnswer {
        var answer = StoreAnswer()
        for head in heads {
            guard let batch = values[head.entity] else { continue }
            var row = batch.values(row: head.row)
            guard let version = change(&row, head.key, head.version) else { continue }
            let changed = answer.values[head.entity] ?? RowBatch(width: batch.width)
            answer.values[head.entity] = changed
            answer.heads.append(
                Head(key: head.key, version: version, entity: head.entity, row: changed.count))
            changed.append(values: row)
        }
        return answer
    }

    /// Returns the answer with other members, sorted by owner and position.
    func withMembers(_ change: (inout [Member]) -> Void) -> StoreAnswer {
        var answer = StoreAnswer()
        answer.members = members
        change(&answer.members)
        answer.members.sort { ($0.owner, $0.position, $0.key) < ($1.owner, $1.position, $1.key) }
        return answer
    }

    var memberCount: Int { members.count }

    /// Passes the rows to a sink, as the store would.
    func give(to sink: any RowSink) throws {
        for head in heads {
            guard sink.wants(key: head.key, version: head.version, entity: head.entity) else {
                continue
            }
            try values[head.entity]?.withRow(head.row) {
                try sink.row($0, key: head.key, version: head.version, entity: head.entity)
            }
        }
    }

    /// Passes the members to a sink, as the store would.
    func give(to sink: any MemberSink) {
        for member in members {
            sink.member(member.key, of: member.owner, position: member.position)
        }
    }
}

extension StoreQuestion {
    fileprivate var wantsRows: Bool {
        if case .rows = self { true } else { false }
    }
}

/// Copies the rows or members of an answer.
private final class AnswerSink: RowSink, MemberSink {
    private let copiesRows: Bool
    private(set) var heads: [StoreAnswer.Head] = []
    private(set) var values: [Int: RowBatch] = [:]
    private(set) var members: [StoreAnswer.Member] = []

    init(copiesRows: Bool) {
        self.copiesRows = copiesRows
    }

    func wants(key: Int64, version: RowVersion, entity: Int) -> Bool {
        if !copiesRows { note(key, version, entity, row: 0) }
        return copiesRows
    }

    func row(_ cells: borrowing RowCells, key: Int64, version: RowVersion, entity: Int) throws {
        let batch = values[entity] ?? RowBatch(width: cells.count)
        values[entity] = batch
        note(key, version, entity, row: batch.count)
        batch.append(copying: cells)
    }

    private func note(_ key: Int64, _ version: RowVersion, _ entity: Int, row: Int) {
        heads.append(StoreAnswer.Head(key: key, version: version, entity: entity, row: row))
    }

    func member(_ member: Int64, of owner: Int64, position: Int64) {
        members.append(StoreAnswer.Member(key: member, owner: owner, position: position))
    }
}
