import RecordStackGraph
import RecordStackModel

/// The rows of a batch of one entity, as they were read: a cell and a mark for each slot.
///
/// Text stays in the memory where it was read, and is copied only if that memory does not stay
/// valid.
final class StagedRows {
    // `unowned(unsafe)`: the mapping creates and owns the rows, so it lives as long as they do.
    unowned(unsafe) let mapping: ImportMapping
    let width: Int
    // @exclusivity(unchecked): one import fills and empties the rows, in one isolation, and no
    // closure runs during an access.

    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private var capacity = 0
    // One cell precedes the cells of each row. A reader of the row writes its report there.
    @exclusivity(unchecked) private var cells: UnsafeMutablePointer<Cell>
    @exclusivity(unchecked) private var marks: UnsafeMutablePointer<StagedMark>
    @exclusivity(unchecked) private var sums: UnsafeMutablePointer<StagedSum>
    /// The values of relationships, by row and relation.
    @exclusivity(unchecked) private var related: [StagedRelated] = []
    @exclusivity(unchecked) private(set) var rows: [StagedRowState] = []
    /// The values that did not convert, by the index of their marks.
    private var unfit: [Int: UnfitValue] = [:]
    @exclusivity(unchecked) private var arena = ByteArena()

    init(_ mapping: ImportMapping) {
        self.mapping = mapping
        width = mapping.attributes.count
        cells = .allocate(capacity: 0)
        marks = .allocate(capacity: 0)
        sums = .allocate(capacity: 0)
    }

    deinit {
        cells.deallocate()
        marks.deallocate()
        sums.deallocate()
    }

    /// Discards the values of a row.
    fileprivate func forget(_ row: Int) {
        (marks + row * width).update(repeating: .absent, count: width)
        sums[row] = StagedSum()
        let relationCount = mapping.relations.count
        for index in row * relationCount..<(row + 1) * relationCount { related[index] = .absent }
    }

    /// Discards all rows.
    func removeAll() {
        count = 0
        related.removeAll(keepingCapacity: true)
        rows.removeAll(keepingCapacity: true)
        unfit.removeAll()
        arena = ByteArena()
    }

    /// Appends an empty row.
    ///
    /// - Parameter number: the number of the row in the import. A nested row has the number of
    ///   its outer row.
    func append(number: Int) -> StagedRow {
        if count == capacity { grow() }
        marks.advanced(by: count * width).update(repeating: .absent, count: width)
        sums[count] = StagedSum()
        if !mapping.relations.isEmpty {
            related += repeatElement(.absent, count: mapping.relations.count)
        }
        rows.append(StagedRowState(number: number))
        count += 1
        return StagedRow(rows: self, index: count - 1)
    }

    private func grow() {
        let larger = max(capacity * 2, 8)
        let newCells = UnsafeMutablePointer<Cell>.allocate(capacity: larger * (width + 1))
        newCells.initialize(repeating: .null, count: larger * (width + 1))
        newCells.update(from: cells, count: capacity * (width + 1))
        let newMarks = UnsafeMutablePointer<StagedMark>.allocate(capacity: larger * width)
        newMarks.update(from: marks, count: capacity * width)
        let newSums = UnsafeMutablePointer<StagedSum>.allocate(capacity: larger)
        newSums.update(from: sums, count: capacity)
        cells.deallocate()
        marks.deallocate()
        sums.deallocate()
        (cells, marks, sums, capacity) = (newCells, newMarks, newSums, larger)
    }
}

/// The state of a row as a whole.
struct StagedRowState {
    let number: Int
    /// The row in which this one is nested; nil for a row of the source.
    var owner: StagedOwner?
    /// The identity of the row's object, once it was requested.
    var key: LookupKey?
    /// The index of the key in the batch; nil if the key became known after the batch's query.
    var keyIndex: Int?
    /// The reason why the row cannot be imported at all.
    var refusal: String?
    /// True if a hook has declined the row.
    var isDeclined = false
    /// True if the row lacks the discriminator that determines its entity.
    var isKindUnsaid = false
    /// The row as it was read, for hooks.
    var source: ImportValue?
    /// True if the row's object was found or created, for a row that is resolved twice.
    var isResolved = false
    /// The row's object, if it is needed again; nil if the row was skipped.
    var object: ManagedObject?
    /// True if the object was created with a reference to the object in which it is nested.
    var isMadeForOwner = false
}

/// The row in which another row is nested.
struct StagedOwner {
    // `unowned(unsafe)`: mappings own the rows and relations, and the importer keeps the mappings
    // alive while rows exist.
    private unowned(unsafe) let rows: StagedRows
    private let index: Int
    unowned(unsafe) let relation: ImportMapping.Relation

    init(_ row: StagedRow, _ relation: ImportMapping.Relation) {
        (rows, index) = (row.rows, row.index)
        self.relation = relation
    }

    var row: StagedRow { StagedRow(rows: rows, index: index) }
}

// MARK: A row

/// One of the staged rows.
struct StagedRow {
    let rows: StagedRows
    let index: Int

    var mapping: ImportMapping { rows.mapping }
    // The properties are read one by one, because a copy of the whole state retains
    // several objects.
    var number: Int { rows.rows[index].number }
    var owner: StagedOwner? { rows.rows[index].owner }
    var key: LookupKey? { rows.rows[index].key }
    var keyIndex: Int? { rows.rows[index].keyIndex }
    var refusal: String? { rows.rows[index].refusal }
    var isDeclined: Bool { rows.rows[index].isDeclined }
    var isKindUnsaid: Bool { rows.rows[index].isKindUnsaid }
    var source: ImportValue? { rows.rows[index].source }
    var isResolved: Bool { rows.rows[index].isResolved }
    var object: ManagedObject? { rows.rows[index].object }
    var isMadeForOwner: Bool { rows.rows[index].isMadeForOwner }

    func edit(_ body: (inout StagedRowState) -> Void) { rows.edit(index, body) }

    /// Records the row in which this one is nested, and the relation between them.
    func stand(in row: StagedRow, _ relation: ImportMapping.Relation) {
        edit { $0.owner = StagedOwner(row, relation) }
    }

    /// Discards the values of the row.
    func forget() { rows.forget(index) }

    /// The cells of the slots, after the cell for reports. Appending a row moves them.
    var cells: UnsafeMutablePointer<Cell> { rows.cells(of: index) }

    subscript(slot: Int) -> StagedMark { rows.mark(index, slot) }

    func isAbsent(_ slot: Int) -> Bool { rows.mark(index, slot).isAbsent }

    /// The marks of the row, as sets.
    var sum: StagedSum { rows.sum(index) }

    func set(_ slot: Int, _ mark: StagedMark) { rows.set(index, slot, mark) }

    func set(_ slot: Int, _ cell: Cell, priority: Int) {
        cells[slot] = cell
        set(slot, StagedMark(.value, priority: priority))
    }

    /// Records a value that does not convert.
    func setUnfit(_ slot: Int, _ value: UnfitValue, priority: Int) {
        rows.setUnfit(index, slot, value)
        set(slot, StagedMark(.unfit, priority: priority))
    }

    func unfit(_ slot: Int) -> UnfitValue { rows.unfit(index, slot) }

    /// Returns the value of a relation, by its index in the mapping.
    func related(_ relationIndex: Int) -> StagedRelated { rows.related(index, relationIndex) }

    func setRelated(_ relationIndex: Int, _ related: StagedRelated) {
        rows.set(index, relationIndex, related)
    }
}

extension StagedRows {
    fileprivate func edit(_ row: Int, _ body: (inout StagedRowState) -> Void) { body(&rows[row]) }

    fileprivate func cells(of row: Int) -> UnsafeMutablePointer<Cell> {
        cells + (row * (width + 1) + 1)
    }

    fileprivate func mark(_ row: Int, _ slot: Int) -> StagedMark { marks[row * width + slot] }

    fileprivate func set(_ row: Int, _ slot: Int, _ mark: StagedMark) {
        marks[row * width + slot] = mark
        sums[row].add(mark.kind, slot)
    }

    fileprivate func sum(_ row: Int) -> StagedSum { sums[row] }

    fileprivate func setUnfit(_ row: Int, _ slot: Int, _ value: UnfitValue) {
        unfit[row * width + slot] = value
    }

    fileprivate func unfit(_ row: Int, _ slot: Int) -> UnfitValue {
        unfit[row * width + slot] ?? UnfitValue(found: "")
    }

    fileprivate func related(_ row: Int, _ relationIndex: Int) -> StagedRelated {
        related[row * mapping.relations.count + relationIndex]
    }

    fileprivate func set(_ row: Int, _ relationIndex: Int, _ value: StagedRelated) {
        related[row * mapping.relations.count + relationIndex] = value
    }

    /// Returns the cell of a value, which is copied.
    func cell(_ value: StoredValue) -> Cell {
        var cell = Cell.null
        withUnsafeMutablePointer(to: &cell) { cell in
            var writer = CellWriter(
                cells: UnsafeMutableBufferPointer(start: cell, count: 1), arena: arena)
            writer.append(value)
            writer.finish()
        }
        return cell
    }
}

// MARK: The related objects of a row

/// The value of a relationship in a row.
enum StagedRelated {
    case absent
    case null(priority: Int)
    /// An array of members, or a single member.
    case members([StagedMember], priority: Int, isArray: Bool)

    /// Returns true if a newly found value replaces this one, by the rules for attributes.
    func yields(to priority: Int, isNull: Bool, _ rule: ImportFallbackPolicy) -> Bool {
        let mark =
            switch self {
            case .absent: StagedMark.absent
            case .null(let mine): StagedMark(.null, priority: mine)
            case .members(_, let mine, _): StagedMark(.value, priority: mine)
            }
        return mark.yields(to: priority, isNull: isNull, rule)
    }
}

enum StagedMember {
    case row(StagedRow)
    /// The key of an object.
    case key(StoredValue)
    /// A value that is neither, as text for a message.
    case unfit(found: String)
}
