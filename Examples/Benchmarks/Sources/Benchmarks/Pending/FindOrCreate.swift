import GRDB
import GRDBSQLite
import RecordStack

/// Finds or creates an item for each of some codes and sets its bucket, in one transaction.
struct FindOrCreate {
    let lab: Lab
    let rows: Int
    /// Whether all of the items are stored already.
    let isStored: Bool

    private var name: String { "\(isStored ? "stored" : "new")-\(rows)" }

    private func isRight(_ contents: (count: Int, sum: Int)) -> Bool {
        contents.count == rows && contents.sum == rows * (rows - 1) / 2
    }

    func ours(times: Int = 1) throws -> some Contender {
        let source = isStored ? try lab.itemFile(rows) : nil
        let rows = rows
        return LoopRun("ours", rounds: rows, times: times) {
            try ItemPlace(lab, "find-ours-\(name)", copying: source)
        } loop: { place in
            try await place.stack.saveWithBlock { context in
                for number in 0..<rows {
                    let item = try Item.findFirstOrCreate(
                        by: \.code, ItemPlace.code(number), in: context)
                    item.bucket = number
                }
            }
        } isRight: {
            try isRight($0.contents())
        } close: {
            try $0.close()
        }
    }

    func raw() -> some Contender {
        let path = lab.directory.path("find-raw-\(name).sqlite")
        let rows = rows
        return LoopRun("SELECT and \(isStored ? "UPDATE" : "INSERT")", rounds: rows) {
            try ItemSchema.makeStore(at: path, items: isStored ? rows : 0)
            return try RawFindOrCreate(path: path)
        } loop: {
            try $0.run(rows)
        } isRight: { _ in
            try isRight(ItemSchema.contents(of: path))
        } close: { _ in
            lab.directory.removeStore(path)
        }
    }

    func grdb() -> some Contender {
        let path = lab.directory.path("find-grdb-\(name).sqlite")
        let rows = rows
        return LoopRun("GRDB", rounds: rows) {
            try ItemSchema.makeStore(at: path, items: isStored ? rows : 0)
            return try GRDBStore(path: path)
        } loop: { store in
            try store.write { database in
                for number in 0..<rows {
                    let code = ItemPlace.code(number)
                    var item =
                        try GRDBItem.fetchOne(database, key: ["code": code])
                        ?? GRDBItem(code: code)
                    item.bucket = number
                    try item.save(database)
                }
            }
        } isRight: { _ in
            try isRight(ItemSchema.contents(of: path))
        } close: {
            try $0.close()
            lab.directory.removeStore(path)
        }
    }
}

/// The same work by three statements that are prepared once.
private final class RawFindOrCreate {
    private let connection: RawConnection
    private let select: RawStatement
    private let insert: RawStatement
    private let update: RawStatement

    init(path: String) throws {
        connection = try RawConnection(path: path)
        select = try RawStatement("SELECT \"_key\" FROM item WHERE \"code\" = ?", on: connection)
        insert = try RawStatement("INSERT INTO item VALUES (NULL, ?, ?, 0, NULL)", on: connection)
        update = try RawStatement(
            "UPDATE item SET \"bucket\" = ? WHERE \"_key\" = ?", on: connection)
    }

    func run(_ rows: Int) throws {
        try connection.execute("BEGIN IMMEDIATE")
        for number in 0..<rows {
            let code = ItemPlace.code(number)
            select.handle.bind(code, at: 1)
            let isThere = sqlite3_step(select.handle) == SQLITE_ROW
            let key = isThere ? sqlite3_column_int64(select.handle, 0) : 0
            sqlite3_reset(select.handle)
            if isThere {
                update.handle.bind(Int64(number), at: 1)
                update.handle.bind(key, at: 2)
                try update.run()
            } else {
                insert.handle.bind(code, at: 1)
                insert.handle.bind(Int64(number), at: 2)
                try insert.run()
            }
        }
        try connection.execute("COMMIT")
    }
}

struct GRDBItem: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "item"

    var key: Int64?
    var code: String
    var bucket = 0
    var weight = 0
    var box: Int64?

    init(code: String) { self.code = code }

    init(row: Row) {
        key = row[0]
        code = row[1]
        bucket = row[2]
        weight = row[3]
        box = row[4]
    }

    func encode(to container: inout PersistenceContainer) {
        container["_key"] = key
        container["code"] = code
        container["bucket"] = bucket
        container["weight"] = weight
        container["box"] = box
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { key = inserted.rowID }
}
