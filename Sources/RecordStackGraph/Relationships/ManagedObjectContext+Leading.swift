import RecordStackModel

// What else changes when a to-one relationship of an object is led elsewhere by the program: the one at
// the other end, and the place in the other end's order.
extension ManagedObjectContext {
    func willLead(_ object: ManagedObject, at slot: Int, from old: Int64, to new: Int64) {
        guard let lead = lead(of: object, at: slot) else { return }
        switch lead.inverse {
        case .toOne(let back):
            part(object, from: old, back, lead)
            if new != 0 { take(new, from: object, at: slot, back, lead) }
        case .ordered:
            // Its keys are loaded before, so that the object comes behind the others.
            if new != 0 { owner(new, lead).map { _ = $0.memberKeys(lead.relationship) } }
        }
    }

    func didLead(_ object: ManagedObject, at slot: Int, from old: Int64, to new: Int64) {
        guard let lead = lead(of: object, at: slot) else { return }
        switch lead.inverse {
        case .toOne(let back):
            guard new != 0, let other = partner(new, lead) else { return }
            if other.storedKey(at: back) != object.keyValue {
                other.setKey(object.keyValue, at: back)
            }
        case .ordered(let order):
            if old != 0 { links[order][LinkPair(first: old, second: object.keyValue)] = nil }
            keepPosition(of: object.keyValue, in: order, of: new, lead)
        }
    }

    /// A to-one relationship that something else follows.
    private struct Lead {
        enum Inverse {
            /// Its slot.
            case toOne(Int)
            /// The linkage that keeps its order.
            case ordered(Int)
        }

        let inverse: Inverse
        let destination: Int
        /// The inverse's place among the destination's relationships.
        let relationship: Int
    }

    private func lead(of object: ManagedObject, at slot: Int) -> Lead? {
        let model = coordinator.model
        let relationships = model.modelEntities[entityIndex(of: object)].relationships
        guard let relationship = relationships.first(where: { $0.slot == slot }),
            let place = relationship.inverse
        else { return nil }
        let back = model.modelEntities[relationship.destination].relationships[place]
        switch (back.slot, back.storage) {
        case (let slot?, _):
            return Lead(
                inverse: .toOne(slot), destination: relationship.destination, relationship: place)
        case (_, .members(_, let order?)):
            return Lead(
                inverse: .ordered(order), destination: relationship.destination,
                relationship: place)
        default: return nil
        }
    }

    private func owner(_ key: Int64, _ lead: Lead) -> ManagedObject? {
        table(of: lead.destination).object(key)
    }

    /// The object at the other end, loaded; nil where it cannot be, which is reported.
    private func partner(_ key: Int64, _ lead: Lead) -> ManagedObject? {
        live(key, entity: lead.destination)
    }

    private func live(_ key: Int64, entity: Int) -> ManagedObject? {
        do {
            guard let object = try objectOrFault(key: key, entity: entity) else { return nil }
            try ensureLoaded(object)
            return object
        } catch {
            report(error)
            return nil
        }
    }

    /// The object's partner so far has none any more.
    private func part(_ object: ManagedObject, from old: Int64, _ back: Int, _ lead: Lead) {
        guard old != 0, let other = partner(old, lead),
            other.storedKey(at: back) == object.keyValue
        else { return }
        other.setKey(0, at: back)
    }

    /// The new partner leaves the one that it had.
    private func take(
        _ key: Int64, from object: ManagedObject, at slot: Int, _ back: Int, _ lead: Lead
    ) {
        guard let other = partner(key, lead) else { return }
        let before = other.storedKey(at: back)
        if before == 0 || before == object.keyValue { return }
        guard let left = live(before, entity: entityIndex(of: object)),
            left.storedKey(at: slot) == key
        else { return }
        left.setKey(0, at: slot)
    }

    /// Remembers the place that a member has got in the order of its owner.
    private func keepPosition(of member: Int64, in order: Int, of owner: Int64, _ lead: Lead) {
        guard owner != 0,
            let record = table(of: lead.destination).object(owner)?.recordValue,
            var list = record.members[lead.relationship]
        else { return }
        record.members[lead.relationship] = nil
        let pair = LinkPair(first: owner, second: member)
        let place = list.place(of: member)
        let position = place.map(list.position) ?? (list.lastPosition ?? 0) + MemberKeys.gap
        list.insert(member, position: position)
        record.members[lead.relationship] = list
        move(LinkChanges.Row(pair: pair, position: position), in: order)
    }
}
