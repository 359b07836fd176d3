import CSQLite
import RecordStackModel

/// Searches all rows for values that another program has written and that no object can have.
final class WrongValues: RowSink {
    /// The largest number of problems to list. Fix these first, then check again.
    static let most = 100

    private let model: ManagedObjectModel
    private let objectID: (_ entity: Int, _ key: Int64) -> ManagedObjectID
    private(set) var problems: [StoreProblem] = []

    init(model: ManagedObjectModel, objectID: @escaping (Int, Int64) -> ManagedObjectID) {
        self.model = model
        self.objectID = objectID
    }

    /// Records a row of an entity that has no objects.
    func note(_ error: RecordStackError) {
        problems.append(StoreProblem(.wrongValue, error.message))
    }

    func row(_ cells: borrowing RowCells, key: Int64, version: RowVersion, entity: Int) throws {
        if problems.count >= Self.most { return }
        let id = objectID(entity, key)
        if key <= 0 {
            problems.append(StoreProblem(.wrongValue, "\(id): keys begin at 1"))
        }
        if !version.isValid { note("_version", id, "no version") }
        let slots = model.modelEntities[entity].description.slots
        for slot in slots.indices where !Self.canBe(cells.cell(at: slot), slots[slot]) {
            note(slots[slot].name, id, "no \(slots[slot].typeName)")
        }
    }

    private func note(_ property: String, _ id: ManagedObjectID, _ what: String) {
        problems.append(
            StoreProblem(.wrongValue, "\(id): the value of \(property) is \(what)"))
    }

    private static func canBe(_ cell: Cell, _ slot: SlotDescription) -> Bool {
        if slot.relationship != nil { return cell.tag == .integer || cell.tag == .null }
        // Text that is not UTF-8 is read as bytes, which a text attribute does not accept.
        if cell.tag == .text && slot.type.storage == .blob { return false }
        let value = cell.storedValue
        if value.isNull { return slot.isOptional }
        return slot.canBe(value)
    }
}
