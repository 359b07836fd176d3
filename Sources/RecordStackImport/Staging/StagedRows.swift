import RecordStackGraph
import RecordStackModel

/// The rows of a batch of one entity, as they were read: a cell and a mark for each slot of each row.
///
/// Text lies where it was read, and is copied where it does not stay there.
final class StagedRows {
    // The mapping makes the rows and keeps them: it lives as long as they do.
    unowned(unsafe) let mapping: ImportMapping
    let width: Int
    // @exclusivity(unchecked): one import fills and empties the rows, in one isolation, and no closure runs during an access.

    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private var capacity = 0
    // There is a cell before those of each row, which takes reports.
    @exclusivity(unchecked) private var cells: UnsafeMutablePointer<Cell>
    @exclusivity(unchecked) private var marks: UnsafeMutablePointer<StagedMark>
    @exclusivity(unchecked) private var sums: UnsafeMutablePointer<StagedSum>
    /// The values of relationships, by row and relation.
    @exclusivity(unchecked) private var related: [StagedRelated] = []
    @exclusivity(unchecked) private(set) var rows: [StagedRowState] = []
    /// What was read that did not convert, by the index of its mark.
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

    /// Forgets what was read of a row.
    fileprivate func forget(_ row: Int) {
        (marks + row * width).update(repeating: .absent, count: width)
        sums[row] = StagedSum()
        let relationCount = mapping.relations.count
        for index in row * relationCount..<(row + 1) * relationCount { related[index] = .absent }
    }

    /// Forgets all rows.
    func removeAll() {
        count = 0
        related.removeAll(keepingCapacity: true)
        rows.removeAll(keepingCapacity: true)
        unfit.removeAll()
        arena = ByteArena()
    }

    /// - Parameter number: the row's number in the import; a nested one has that of the row that it stands in.
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

/// What belongs to a row as a whole.
struct StagedRowState {
    let number: Int
    /// The row that it stands in; nil for a row of the source.
    var owner: StagedOwner?
    /// The key by which the row's object is known, once that was looked for.
    var key: LookupKey?
    /// The key's index among those of the batch; nil where it became known too late to be one of them.
    var keyIndex: Int?
    /// Why the row cannot be imported at all.
    var refusal: String?
    /// Whether a hook does not want the row.
    var isDeclined = false
    /// Whether a discriminator does not say of which entity the row is.
    var isKindUnsaid = false
    /// The row as it was read, for hooks.
    var source: ImportValue?
    /// Whether its object was found or made, where that is needed twice.
    var isResolved = false
    /// Its object, as soon as that is known to be wanted again; nil where the row was left out.
    var object: ManagedObject?
    /// Whether that object was made with a reference to the one that it stands in.
    var isMadeForOwner = false
}

/// The row that a nested one stands in.
struct StagedOwner {
    // Mappings keep the rows and the relations, and are kept by the importer as long as there are rows.
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
    // One by one: the whole state is several references.
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

    /// Takes note of the row that this one is nested in, and how.
    func stand(in row: StagedRow, _ relation: ImportMapping.Relation) {
        edit { $0.owner = StagedOwner(row, relation) }
    }

    /// Forgets what was read of the row.
    func forget() { rows.forget(index) }

    /// A cell for each slot, behind the one for reports. It moves when a row is appended.
    var cells: UnsafeMutablePointer<Cell> { rows.cells(of: index) }

    subscript(slot: Int) -> StagedMark { rows.mark(index, slot) }

    func isAbsent(_ slot: Int) -> Bool { rows.mark(index, slot).isAbsent }

    /// Its marks together.
    var sum: StagedSum { rows.sum(index) }

    func set(_ slot: Int, _ mark: StagedMark) { rows.set(index, slot, mark) }

    func set(_ slot: Int, _ cell: Cell, priority: Int) {
        cells[slot] = cell
        set(slot, StagedMark(.value, priority: priority))
    }

    /// Takes note of a value that does not convert.
    func setUnfit(_ slot: Int, _ value: UnfitValue, priority: Int) {
        rows.setUnfit(index, slot, value)
        set(slot, StagedMark(.unfit, priority: priority))
    }

    func unfit(_ slot: Int) -> UnfitValue { rows.unfit(index, slot) }

    /// The value of a relation, by its index among the mapping's.
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

    /// A cell of a value, which is copied.
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

/// The value of a relationship of a row.
enum StagedRelated {
    case absent
    case null(priority: Int)
    /// An array, or what stands alone.
    case members([StagedMember], priority: Int, isArray: Bool)

    /// Whether it gives way to something else that was found, as with attributes.
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
    /// Something that is neither; how it reads.
    case unfit(found: String)
}
