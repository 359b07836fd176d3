import CSQLite
import RecordStackModel

/// Fills the cells of a statement's current row, in the order of the row's own entity.
final class RowFiller {
    // The statement owns the filler, which nobody else keeps.
    private unowned(unsafe) let statement: SQLiteStatement
    private let tables: TableMap
    private let single: Int
    private let isPolymorphic: Bool
    private let places: [[Int]]
    private let firstColumn: Int
    private let cells: UnsafeMutablePointer<Cell>
    private let names: [(name: String, entity: Int)]

    init(statement: SQLiteStatement, entity: Int, tables: TableMap) {
        self.statement = statement
        self.tables = tables
        let table = tables.table(of: entity)
        isPolymorphic = table.isPolymorphic
        single = entity
        firstColumn = isPolymorphic ? 3 : 2
        places = tables.columnsOfSlots
        names = table.hierarchy.entities.map { (tables.model.modelEntities[$0].name, $0) }
        // One cell before the row takes the report of an unexpected value.
        cells = .allocate(capacity: table.columns.count + 1)
        cells.initialize(repeating: .null, count: table.columns.count + 1)
    }

    deinit {
        cells.deallocate()
    }

    /// The entity of the current row.
    @inline(__always)
    func entity() throws -> Int {
        isPolymorphic ? try namedEntity() : single
    }

    private func namedEntity() throws -> Int {
        let bytes = statement.cell(column: 2).bytes
        for (name, entity) in names where bytes.elementsEqual(name.utf8) { return entity }
        throw RecordStackError(
            .corrupt,
            "A row of \(tables.table(of: single).name) is of the entity "
                + "\(String(decoding: bytes, as: UTF8.self)), which the model does not have.")
    }

    @inline(__always)
    func fill(_ entity: Int) -> RowCells {
        let base = cells + 1
        let columns = places[entity]
        if isPolymorphic {
            for slot in columns.indices {
                base[slot] = statement.cell(column: Int32(firstColumn + columns[slot]))
            }
        } else {
            for slot in columns.indices { base[slot] = statement.cell(column: Int32(2 + slot)) }
        }
        return RowCells(base: base, count: columns.count)
    }
}
