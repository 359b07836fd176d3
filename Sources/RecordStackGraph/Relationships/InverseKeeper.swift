import RecordStackChanges
import RecordStackModel

/// Changes what else changes when a to-one relationship of an object is led elsewhere by the program: the one at the other
/// end, and the place in the other end's order.
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
            part(object, from: old, back, reference)
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
                context.pairs.links[order][LinkPair(first: old, second: object.keyValue)] = nil
            }
            keepPosition(of: object, in: order, of: new, reference)
        }
    }

    /// Remembers where a member stood that leaves its owner: where an edit says that, below the edit.
    private func noteLeft(_ member: Int64, _ order: Int, of old: Int64) {
        let pair = LinkPair(first: old, second: member)
        let linkage = coordinator.model.linkages[order]
        let edit = context.pairs.links[order][pair]
        context.pairs.links[order].noteLeft(
            edit == nil ? context.pairs.shownPlaces(of: pair, in: linkage) : edit?.original,
            of: pair,
            over: edit == nil ? context.pairs.base(of: pair, in: order) : edit?.base)
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

    /// The object's partner so far has none any more.
    private func part(
        _ object: ManagedObject, from old: Int64, _ back: Int, _ reference: InverseTable.Reference
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

    /// Remembers the place that a member has got in the order of its owner.
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
        let pair = LinkPair(first: owner, second: member)
        let place = list.place(of: member)
        let position = place.map(list.position) ?? list.nextPosition
        list.insert(member, position: position)
        record.members[reference.relationship] = list
        let row = LinkChanges.Row(pair: pair, position: position)
        let departed = list.positionOfDeparted(member).map { position in
            var places = LinkEdit.OriginalPlaces()
            places.set(position, .first)
            return places
        }
        let known = context.pairs.links[order].placesLeft(
            by: pair, over: context.pairs.base(of: pair, in: order))
        guard isReinserted, let left = known ?? departed else {
            return context.pairs.move(row, in: order)
        }
        context.pairs.move(row, in: order, from: left)
        record.members[reference.relationship] = nil
        context.pairs.takeBackOrder(of: other, &list, order, .first, returning: member)
        record.members[reference.relationship] = list
    }
}
