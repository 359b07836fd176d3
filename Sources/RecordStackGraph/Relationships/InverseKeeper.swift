import RecordStackChanges
import RecordStackModel

/// Updates the other side when a to-one relationship is set.
///
/// It changes an inverse to-one relationship, or the member's position in an inverse ordered one.
struct InverseKeeper: ContextView {
    let context: ManagedObjectContext

    /// Prepares the other side for the change of a reference.
    ///
    /// - Parameters:
    ///   - old: The key to which the relationship refers; 0 for none.
    ///   - new: The key to which it will refer; 0 for none.
    func willRefer(
        _ object: ManagedObject, _ reference: InverseTable.Reference, from old: Int64, to new: Int64
    ) {
        switch reference.inverse {
        case .toOne(let back):
            clearInverse(of: object, at: old, back, reference)
            if new != 0 { take(new, from: object, back, reference) }
        case .ordered(let order):
            if old != 0 { noteLeft(object.keyValue, order, of: old) }
            // Loads the keys before the change, so that the object is appended.
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

    /// Keeps the position of a member that leaves its owner.
    ///
    /// If an edit has moved the member, keeps the position before that edit.
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

    /// Returns the loaded object at the other end, or nil.
    ///
    /// Reports the error if the object cannot be loaded.
    private func partner(_ key: Int64, _ reference: InverseTable.Reference) -> ManagedObject? {
        live(key, entity: reference.destination)
    }

    /// Returns the loaded object with a key, or nil if it does not exist.
    ///
    /// Also returns nil if the object cannot be loaded, and reports the error.
    func live(_ key: Int64, entity: Int) -> ManagedObject? {
        // The row is known to be gone, so loading it would only report an error.
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

    /// Clears the reference of the new partner's former partner.
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

    /// Keeps the position of a new member in its owner's order.
    private func keepPosition(
        of object: ManagedObject, in order: Int, of owner: Int64,
        _ reference: InverseTable.Reference
    ) {
        let member = object.keyValue
        // The committed value is compared, because a setter stores the new key only after this
        // call.
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
