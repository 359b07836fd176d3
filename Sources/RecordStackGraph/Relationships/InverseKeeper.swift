import RecordStackChanges
import RecordStackModel

/// Changes what else changes when the program sets a to-one relationship of an object: the relationship at the
/// other end, and the position in the other end's order.
struct InverseKeeper: ContextView {
    let context: ManagedObjectContext

    /// - Parameters:
    ///   - old: the key to which the relationship refers, 0 for none.
    ///   - new: the key to which it is going to refer, 0 for none.
    func willRefer(
        _ object: ManagedObject, _ reference: InverseTable.Reference, from old: Int64, to new: Int64
    ) {
        switch reference.inverse {
        case .toOne(let back):
            clearInverse(of: object, at: old, back, reference)
            if new != 0 { take(new, from: object, back, reference) }
        case .ordered(let order):
            if old != 0 { noteLeft(object.keyValue, order, of: old) }
            // Its keys are loaded before, so that the object comes behind the others.
            if new != 0 { owner(new, reference).map { _ = $0.memberKeys(reference.relationship) } }
        }
    }

    func didRefer(
        _ object: ManagedObject, _ reference: InverseTable.Reference, from old: Int64, to new: Int64
    ) {
        switch reference.inverse {
        case .toOne(let back):
            guard new != 0, let other = partner(new, reference) else { return }
            if other.storedKey(at: back) != object.keyValue {
                other.setKey(object.keyValue, at: back)
            }
        case .ordered(let order):
            if old != 0 {
                let joinRow = JoinRow(first: old, second: object.keyValue)
                context.joinRowEdits.links[order][joinRow] = nil
            }
            keepPosition(of: object, in: order, of: new, reference)
        }
    }

    /// Remembers where a member stood that leaves its owner: where an edit says that, below the edit.
    private func noteLeft(_ member: Int64, _ order: Int, of old: Int64) {
        let joinRow = JoinRow(first: old, second: member)
        let joinTable = coordinator.model.joinTables[order]
        let edit = context.joinRowEdits.links[order][joinRow]
        context.joinRowEdits.links[order].noteLeft(
            edit == nil
                ? context.joinRowEdits.shownPositions(of: joinRow, in: joinTable) : edit?.original,
            of: joinRow,
            over: edit == nil ? context.joinRowEdits.base(of: joinRow, in: order) : edit?.base)
    }

    private func owner(_ key: Int64, _ reference: InverseTable.Reference) -> ManagedObject? {
        table(of: reference.destination).object(key)
    }

    /// The object at the other end, loaded; nil where it cannot be, which is reported.
    private func partner(_ key: Int64, _ reference: InverseTable.Reference) -> ManagedObject? {
        live(key, entity: reference.destination)
    }

    /// A loaded object; nil where there is none, or where it cannot be loaded, which is reported.
    func live(_ key: Int64, entity: Int) -> ManagedObject? {
        // Its row is known to be gone. Loading it would report that as an error.
        if !context.repair.deletedKeys.isEmpty,
            context.repair.deletedKeys[table(of: entity).hierarchy]?.contains(key) == true
        {
            return nil
        }
        do {
            guard let object = try context.objectOrFault(key: key, entity: entity) else {
                return nil
            }
            try context.ensureLoaded(object)
            return object
        } catch {
            context.errors.report(error)
            return nil
        }
    }

    /// Clears the reference of the object's former partner.
    private func clearInverse(
        of object: ManagedObject, at old: Int64, _ back: Int, _ reference: InverseTable.Reference
    ) {
        guard old != 0, let other = partner(old, reference),
            other.storedKey(at: back) == object.keyValue
        else { return }
        other.setKey(0, at: back)
    }

    /// The new partner leaves the one that it had.
    private func take(
        _ key: Int64, from object: ManagedObject, _ back: Int, _ reference: InverseTable.Reference
    ) {
        guard let other = partner(key, reference) else { return }
        let before = other.storedKey(at: back)
        if before == 0 || before == object.keyValue { return }
        guard let left = live(before, entity: entityIndex(of: object)),
            left.storedKey(at: reference.slot) == key
        else { return }
        left.setKey(0, at: reference.slot)
    }

    /// Remembers the position that a member has got in the order of its owner.
    private func keepPosition(
        of object: ManagedObject, in order: Int, of owner: Int64,
        _ reference: InverseTable.Reference
    ) {
        let member = object.keyValue
        // A setter writes the new key when this is done.
        let isReinserted =
            !object.has(ObjectFlags.inserted)
            && object.committedValue(at: reference.slot).isStoredSame(as: .integer(owner))
        guard owner != 0, let other = table(of: reference.destination).object(owner),
            let record = other.recordValue, var list = record.members[reference.relationship]
        else { return }
        record.members[reference.relationship] = nil
        let joinRow = JoinRow(first: owner, second: member)
        let index = list.index(of: member)
        let position = index.map(list.position) ?? list.nextPosition
        list.insert(member, position: position)
        record.members[reference.relationship] = list
        let row = LinkChanges.Row(joinRow: joinRow, position: position)
        let departed = list.positionOfDeparted(member).map { position in
            var positions = LinkEdit.OriginalPositions()
            positions.set(position, .first)
            return positions
        }
        let known = context.joinRowEdits.links[order].formerPositions(
            of: joinRow, over: context.joinRowEdits.base(of: joinRow, in: order))
        guard isReinserted, let left = known ?? departed else {
            return context.joinRowEdits.move(row, in: order)
        }
        context.joinRowEdits.move(row, in: order, from: left)
        record.members[reference.relationship] = nil
        context.joinRowEdits.takeBackOrder(of: other, &list, order, .first, returning: member)
        record.members[reference.relationship] = list
    }
}
