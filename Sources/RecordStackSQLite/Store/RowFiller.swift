import CSQLite
import RecordStackModel

/// Fills the cells of a statement's current row, in the order of the slots of the row's entity.
final class RowFiller {
    // `unowned(unsafe)`: the statement owns the filler, and nothing else keeps it.
    private unowned(unsafe) let statement: SQLiteStatement
    private let tables: TableMap
    private let single: Int
    private let isPolymorphic: Bool
    private let columnsOfSlots: [[Int]]
    private let cells: UnsafeMutablePointer<Cell>
    /// The entities that may have rows, if there are several.
    private let table: KindTable?

    init(statement: SQLiteStatement, entity: Int, tables: TableMap) {
        self.statement = statement
        self.tables = tables
        let table = tables.table(of: entity)
        isPolymorphic = table.isPolymorphic
        single = entity
        columnsOfSlots = tables.columnsOfSlots
        let entities = table.hierarchy.entities.map { tables.model.modelEntities[$0] }
        self.table =
            table.isPolymorphic
            ? KindTable(
                of: entities.filter { !$0.description.isAbstract }, columns: tables.columnsOfSlots)
            : nil
        // A reader of the row reports an unexpected value in the cell before it.
        cells = .allocate(capacity: table.columns.count + 1)
        cells.initialize(repeating: .null, count: table.columns.count + 1)
    }

    deinit {
        cells.deallocate()
    }

    /// The cursor for a table of one entity; nil if each row names its entity.
    var plain: RowCursor? {
        if isPolymorphic { return nil }
        return RowCursor(
            handle: statement.handle, cells: cells + 1, width: columnsOfSlots[single].count,
            entity: single)
    }

    /// The cursor for rows that name their entity, if SQLite keeps a row as an array.
    var polymorphic: PolymorphicRows? {
        guard let table,
            let stride = RowCursor.stride(
                of: statement.handle, columns: Int(sqlite3_column_count(statement.handle)))
        else { return nil }
        return PolymorphicRows(
            handle: statement.handle, cells: cells + 1, kinds: UnsafeBufferPointer(table.kinds),
            stride: stride)
    }

    /// Returns the entity of the current row, by its name.
    func entity() throws -> Int {
        guard let table else { return single }
        let name = statement.cell(column: 2)
        let known = table.kinds.first {
            name.tag == .text && $0.name.elementsEqual(name.bytes)
        }
        guard let known else { throw unknownEntity(name.text) }
        return known.entity
    }

    /// Returns the error for a row of an entity that has no objects.
    func unknownEntity(_ name: String) -> RecordStackError {
        let entities = tables.table(of: single).hierarchy.entities
        let table = tables.table(of: single).name
        if entities.contains(where: { tables.model.modelEntities[$0].name == name }) {
            return RecordStackError(
                .corrupt,
                "A row of \(table) is of the entity \(name), which is abstract, so that there are no "
                    + "objects of it. Another program has written it, or \(name) became abstract after the "
                    + "row was saved. Change the row's entity or delete it, in the store.",
                entity: name)
        }
        return RecordStackError(
            .corrupt,
            "A row of \(table) is of the entity \(name), which the model does not have. If a newer "
                + "version of the program has extended the store, update this one and make a new "
                + "stack; otherwise restore a backup.")
    }

    /// Passes the current row to a sink.
    func deliverOne(to sink: any RowSink) throws {
        let key = statement.integer(column: 0)
        let version = statement.version(column: 1)
        let entity = try entity()
        guard sink.wants(key: key, version: version, entity: entity) else { return }
        let columns = columnsOfSlots[entity]
        let firstColumn = isPolymorphic ? 3 : 2
        for slot in columns.indices {
            cells[slot + 1] = statement.cell(column: Int32(firstColumn + columns[slot]))
        }
        try sink.row(
            RowCells(base: cells + 1, count: columns.count), key: key, version: version,
            entity: entity)
    }
}

extension Cell {
    /// The text of the cell, or an empty text for any other value.
    var text: String { tag == .text ? String(decoding: bytes, as: UTF8.self) : "" }
}
