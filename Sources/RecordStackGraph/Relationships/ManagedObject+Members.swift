import RecordStackModel

// What `ToMany` and `OrderedToMany` are made of.
extension ManagedObject {
    /// A to-many relationship in the model; nil where the object is of no context any more.
    final func known(
        _ relationship: Int
    ) -> (context: ManagedObjectContext, relationship: ModelRelationship)? {
        guard let context = managedObjectContext else { return nil }
        let entity = context.coordinator.model.modelEntities[context.entityIndex(of: self)]
        return (context, entity.relationships[relationship])
    }

    /// The keys of a to-many relationship's members; empty where they cannot be loaded.
    final func memberKeys(_ relationship: Int) -> MemberKeys {
        if let known = recordValue?.members[relationship], known.isPlaced { return known }
        guard let context = managedObjectContext else { return MemberKeys(isOrdered: false) }
        do {
            return try context.loadMembers(of: self, relationship)
        } catch {
            context.report(error)
            return MemberKeys(isOrdered: false)
        }
    }

    /// How many members there are; 0 where it cannot be found out.
    final func memberCount(_ relationship: Int) -> Int {
        if let known = recordValue?.members.keys(relationship) { return known.count }
        guard let context = managedObjectContext else { return 0 }
        do {
            return try context.countMembers(of: self, relationship)
        } catch {
            context.report(error)
            return 0
        }
    }

    /// The members of a to-many relationship; empty where they cannot be loaded.
    final func members(_ relationship: Int) -> [ManagedObject] {
        let keys = recordValue?.members.keys(relationship) ?? memberKeys(relationship).keys
        guard !keys.isEmpty, let context = managedObjectContext else { return [] }
        do {
            defer { context.callOwedHooks() }
            return try context.members(keys, of: self, relationship)
        } catch {
            context.report(error)
            return []
        }
    }

    final func hasMember(_ object: ManagedObject, _ relationship: Int) -> Bool {
        guard object.anchor === anchor, let (context, known) = known(relationship),
            !has(ObjectFlags.deleted), !object.has(ObjectFlags.deleted | ObjectFlags.detached)
        else { return false }
        switch known.storage {
        case .key: return false
        case .members(let slot, _):
            object.willAccessValue()
            return object.storedKey(at: slot) == keyValue
        case .links(let index, let end):
            // The end of a relationship that the model has has a side.
            let side = context.side(context.coordinator.model.linkages[index], end)!
            do {
                return try context.areLinked(self, object, side)
            } catch {
                context.report(error)
                return false
            }
        }
    }

    /// Makes an object a member; one that is, is left as it is.
    /// - Returns: whether it was none.
    @discardableResult
    final func insertMember(_ object: ManagedObject, _ relationship: Int) -> Bool {
        requireSameContext(as: object)
        guard let (context, known) = known(relationship), isAlive(object, relationship),
            !hasMember(object, relationship)
        else { return false }
        switch known.storage {
        case .key: break
        case .members(let slot, _): object.setReference(keyValue, at: slot)
        case .links(let index, let end):
            context.relate(self, object, context.coordinator.model.linkages[index], end)
        }
        return true
    }

    /// Makes an object a member no longer.
    /// - Returns: whether it was one.
    @discardableResult
    final func removeMember(_ object: ManagedObject, _ relationship: Int) -> Bool {
        guard hasMember(object, relationship), let (context, known) = known(relationship) else {
            return false
        }
        switch known.storage {
        case .key: break
        case .members(let slot, _): object.setReference(0, at: slot)
        case .links(let index, let end):
            context.separate(self, object, context.coordinator.model.linkages[index], end)
        }
        return true
    }

    /// Gives a member another place in the order.
    final func moveMember(_ object: ManagedObject, to place: Int, _ relationship: Int) {
        guard let (context, known) = known(relationship), let linkage = known.linkage else {
            return
        }
        _ = memberKeys(relationship)
        guard var list = recordValue?.members[relationship] else { return }
        recordValue?.members[relationship] = nil
        let end: LinkEnd = if case .links(_, let end) = known.storage { end } else { .first }
        for (key, position) in list.move(object.keyValue, to: place) {
            let pair = LinkPair(keyValue, key, from: end)
            let row = LinkChanges.Row(
                pair: pair, position: end == .first ? position : nil,
                inversePosition: end == .second ? position : nil)
            context.move(row, in: linkage)
        }
        context.keepRelated(self)
        context.keepRelated(object)
        recordValue?.members[relationship] = list
    }

    /// Nothing is related to what is to be deleted. A collection's edits cannot throw.
    private final func isAlive(_ object: ManagedObject, _ relationship: Int) -> Bool {
        let isDead = object.has(ObjectFlags.deleted | ObjectFlags.detached)
        if !isDead && !has(ObjectFlags.deleted) { return true }
        let name = Self.entityDescription.relationships[relationship].name
        let dead = isDead ? object : self
        anchor.context?.report(
            RecordStackError(
                .misuse,
                "\(object.objectID) was put into \(name) of \(objectID), and \(dead.objectID) is deleted. "
                    + "It was left out.", objectID: objectID, property: name))
        return false
    }
}

extension ManagedObjectContext {
    /// Relates two objects by a link table, in which they are not related.
    func relate(_ owner: ManagedObject, _ member: ManagedObject, _ linkage: Linkage, _ end: LinkEnd)
    {
        var row = LinkChanges.Row(pair: LinkPair(owner.keyValue, member.keyValue, from: end))
        row.position = nextPosition(of: end == .first ? owner : member, linkage, .first)
        row.inversePosition = nextPosition(of: end == .first ? member : owner, linkage, .second)
        link(row, in: linkage.index)
        show(row, in: linkage, isThere: true)
        keepRelated(owner)
        keepRelated(member)
        guard linkage.isSymmetric, owner !== member else { return }
        var back = LinkChanges.Row(pair: row.pair.reversed)
        back.position = nextPosition(of: member, linkage, .first)
        link(back, in: linkage.index)
        show(back, in: linkage, isThere: true)
    }

    func separate(
        _ owner: ManagedObject, _ member: ManagedObject, _ linkage: Linkage, _ end: LinkEnd
    ) {
        let pair = LinkPair(owner.keyValue, member.keyValue, from: end)
        for pair in Set(linkage.isSymmetric ? [pair, pair.reversed] : [pair]) {
            unlink(pair, in: linkage.index)
            show(LinkChanges.Row(pair: pair), in: linkage, isThere: false)
        }
        keepRelated(owner)
        keepRelated(member)
    }

    /// The place behind the last in an order; nil where there is none.
    private func nextPosition(
        of owner: ManagedObject, _ linkage: Linkage, _ end: LinkEnd
    ) -> Int64? {
        guard linkage.end(end).isOrdered, let side = side(linkage, end) else { return nil }
        return owner.memberKeys(side.relationship).nextPosition
    }
}

extension ManagedObject {
    /// The keys of a to-many relationship's members, in their order where there is one.
    package final func relatedKeys(_ relationship: Int) -> [Int64] {
        Array(memberKeys(relationship).keys)
    }

    final func memberIDs(_ relationship: Int) -> [ManagedObjectID] {
        guard let (context, known) = known(relationship) else { return [] }
        let table = context.table(of: known.destination)
        return memberKeys(relationship).keys.map { key in
            let entity = table.object(key).map(context.entityIndex) ?? known.destination
            return context.coordinator.objectID(entity: entity, key: key)
        }
    }

    final func memberRequest<Element: ManagedObject>(
        _ relationship: Int
    ) -> FetchRequest<Element> {
        guard let (_, known) = known(relationship) else {
            return FetchRequest(filter: Filter(.constant(false)))
        }
        if case .members(let slot, _) = known.storage {
            let node = Filter.Node.compare(FilterPath(slot: slot), .equal, .integer(keyValue))
            return FetchRequest(filter: Filter(node))
        }
        let keys = memberKeys(relationship).keys.map { StoredValue.integer($0) }
        let path = FilterPath(slot: FilterPath.keySlot)
        return FetchRequest(filter: Filter(.among(path, keys)))
    }

    /// The member at a place in the order, which there is. Where its row is gone meanwhile, a fault.
    final func member(
        at place: Int, _ relationship: Int, _ type: ManagedObject.Type
    ) -> ManagedObject {
        let keys = memberKeys(relationship).keys
        guard let (context, known) = known(relationship) else { return lost(keys[place], type) }
        let table = context.table(of: known.destination)
        if let object = table.object(keys[place]), !object.isFault { return object }
        let end = min(keys.count, place + Self.membersAtOnce)
        do {
            let loaded = try context.members(
                ContiguousArray(keys[place..<end]), of: self, relationship)
            if let object = loaded.first(where: { $0.keyValue == keys[place] }) { return object }
        } catch {
            context.report(error)
        }
        return table.object(keys[place]) ?? lost(keys[place], type)
    }

    private static var membersAtOnce: Int { 256 }

    /// An object of a class, without a row: it reads as placeholders, and its state tells.
    final func lost(_ key: Int64, _ type: ManagedObject.Type) -> ManagedObject {
        type.init(
            seed: ObjectSeed(
                anchor: Unmanaged.passUnretained(anchor), key: key, version: 0,
                flags: ObjectFlags.detached))
    }
}
