import RecordStackChanges
import RecordStackModel

/// Changes what else changes when a to-one relationship of an object is led elsewhere by the program: the one at the other
/// end, and the place in the other end's order.
struct InverseKeeper: ContextView {
    let context: ManagedObjectContext

    /// - Parameters:
    ///   - old: where it leads.
    ///   - new: where it is to lead, 0 for nowhere.
    func willLead(_ object: ManagedObject, _ lead: Following.Lead, from old: Int64, to new: Int64) {
        switch lead.inverse {
        case .toOne(let back):
            part(object, from: old, back, lead)
            if new != 0 { take(new, from: object, back, lead) }
        case .ordered(let order):
            if old != 0 { noteLeft(object.keyValue, order, of: old) }
            // Its keys are loaded before, so that the object comes behind the others.
            if new != 0 { owner(new, lead).map { _ = $0.memberKeys(lead.relationship) } }
        }
    }

    func didLead(_ object: ManagedObject, _ lead: Following.Lead, from old: Int64, to new: Int64) {
        switch lead.inverse {
        case .toOne(let back):
            guard new != 0, let other = partner(new, lead) else { return }
            if other.storedKey(at: back) != object.keyValue {
                other.setKey(object.keyValue, at: back)
            }
        case .ordered(let order):
            if old != 0 {
                context.pairs.links[order][LinkPair(first: old, second: object.keyValue)] = nil
            }
            keepPosition(of: object, in: order, of: new, lead)
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

    private func owner(_ key: Int64, _ lead: Following.Lead) -> ManagedObject? {
        table(of: lead.destination).object(key)
    }

    /// The object at the other end, loaded; nil where it cannot be, which is reported.
    private func partner(_ key: Int64, _ lead: Following.Lead) -> ManagedObject? {
        live(key, entity: lead.destination)
    }

    /// A loaded object; nil where there is none, or where it cannot be loaded, which is reported.
    func live(_ key: Int64, entity: Int) -> ManagedObject? {
        // Its row is known to be gone. Loading it would report that as an error.
        if !context.repair.vanished.isEmpty,
            context.repair.vanished[table(of: entity).hierarchy]?.contains(key) == true
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
    private func part(_ object: ManagedObject, from old: Int64, _ back: Int, _ lead: Following.Lead)
    {
        guard old != 0, let other = partner(old, lead),
            other.storedKey(at: back) == object.keyValue
        else { return }
        other.setKey(0, at: back)
    }

    /// The new partner leaves the one that it had.
    private func take(
        _ key: Int64, from object: ManagedObject, _ back: Int, _ lead: Following.Lead
    ) {
        guard let other = partner(key, lead) else { return }
        let before = other.storedKey(at: back)
        if before == 0 || before == object.keyValue { return }
        guard let left = live(before, entity: entityIndex(of: object)),
            left.storedKey(at: lead.slot) == key
        else { return }
        left.setKey(0, at: lead.slot)
    }

    /// Remembers the place that a member has got in the order of its owner.
    private func keepPosition(
        of object: ManagedObject, in order: Int, of owner: Int64, _ lead: Following.Lead
    ) {
        let member = object.keyValue
        // A setter writes the new key when this is done.
        let isBack =
            !object.has(ObjectFlags.inserted)
            && object.committedValue(at: lead.slot).isStoredSame(as: .integer(owner))
        guard owner != 0, let other = table(of: lead.destination).object(owner),
            let record = other.recordValue, var list = record.members[lead.relationship]
        else { return }
        record.members[lead.relationship] = nil
        let pair = LinkPair(first: owner, second: member)
        let place = list.place(of: member)
        let position = place.map(list.position) ?? list.nextPosition
        list.insert(member, position: position)
        record.members[lead.relationship] = list
        let row = LinkChanges.Row(pair: pair, position: position)
        let departed = list.positionOfDeparted(member).map { position in
            var places = LinkEdit.OriginalPlaces()
            places.set(position, .first)
            return places
        }
        let known = context.pairs.links[order].placesLeft(
            by: pair, over: context.pairs.base(of: pair, in: order))
        guard isBack, let left = known ?? departed else {
            return context.pairs.move(row, in: order)
        }
        context.pairs.move(row, in: order, from: left)
        record.members[lead.relationship] = nil
        context.pairs.takeBackOrder(of: other, &list, order, .first, returning: member)
        record.members[lead.relationship] = list
    }
}
