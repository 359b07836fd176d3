import RecordStackModel

// The implementation of `ToMany` and `OrderedToMany`.
extension ManagedObject {
    /// Returns a to-many relationship's description in the model; nil if the object is detached.
    final func known(
        _ relationship: Int
    ) -> (context: ManagedObjectContext, relationship: ModelRelationship)? {
        guard let context = managedObjectContext else { return nil }
        let entity = context.coordinator.model.modelEntities[context.entityIndex(of: self)]
        return (context, entity.relationships[relationship])
    }

    /// Returns the keys of a to-many relationship's members; empty if they cannot be loaded.
    final func memberKeys(_ relationship: Int) -> MemberKeys {
        if let known = recordValue?.members[relationship], known.knowsAllPositions { return known }
        guard let context = managedObjectContext else { return MemberKeys(isOrdered: false) }
        do {
            return try context.loader.loadMembers(of: self, relationship)
        } catch {
            context.errors.report(error)
            return MemberKeys(isOrdered: false)
        }
    }

    /// Returns the number of members; 0 if they cannot be counted.
    final func memberCount(_ relationship: Int) -> Int {
        if let known = recordValue?.members.keys(relationship) { return known.count }
        guard let context = managedObjectContext else { return 0 }
        do {
            return try context.loader.countMembers(of: self, relationship)
        } catch {
            context.errors.report(error)
            return 0
        }
    }

    /// Returns the members' keys without positions; empty if they cannot be loaded.
    final func plainMemberKeys(_ relationship: Int) -> ContiguousArray<Int64> {
        recordValue?.members.keys(relationship) ?? memberKeys(relationship).keys
    }

    /// Returns the members' keys, and records that the program has seen their indexes.
    final func indexedKeys(_ relationship: Int) -> ContiguousArray<Int64> {
        let keys = plainMemberKeys(relationship)
        if !keys.isEmpty { record.shownCounts.note(keys.count, of: relationship) }
        return keys
    }

    /// Whether a number is an index of a to-many relationship now.
    ///
    /// If it was one before another context's save removed members, the call reports an error.
    ///
    /// - Precondition: The number is an index, or was one.
    final func isIndex(_ index: Int, _ relationship: Int) -> Bool {
        let count = indexedKeys(relationship).count
        if 0..<count ~= index { return true }
        let shown = recordValue?.shownCounts[relationship] ?? 0
        precondition(
            0..<shown ~= index, "The relationship has \(count) members, none at the index \(index)."
        )
        let name = Self.entityDescription.relationships[relationship].name
        anchor.context?.errors.report(
            RecordStackError(
                .notFound,
                "\(name) of \(objectID) had a member at the index \(index), and has \(count) members now: another "
                    + "context has removed some. Read `count` again after each operation of the context.",
                objectID: objectID, property: name))
        return false
    }

    /// Returns the members that have rows; empty if they cannot be loaded.
    final func members(_ relationship: Int) -> [ManagedObject] {
        let keys = plainMemberKeys(relationship)
        guard !keys.isEmpty, let context = managedObjectContext else { return [] }
        do {
            defer { context.callDueHooks() }
            return try context.loader.members(keys, of: self, relationship)
        } catch {
            context.errors.report(error)
            return []
        }
    }

    /// Returns the members of a to-many relationship, one object for each key.
    ///
    /// A key without a row gets a placeholder object, and so does a key whose row is of another
    /// class.
    final func members<Element: ManagedObject>(
        _ relationship: Int, as type: Element.Type
    ) -> [ManagedObject] {
        let keys = plainMemberKeys(relationship)
        guard !keys.isEmpty, let (context, known) = known(relationship) else {
            return keys.map { lost($0, type) }
        }
        var (loaded, isComplete): ([ManagedObject], Bool) = ([], true)
        do {
            defer { context.callDueHooks() }
            loaded = try context.loader.members(keys, of: self, relationship)
        } catch {
            isComplete = false
            context.errors.report(error)
        }
        // Most objects have exactly the declared class; a cast checks more.
        func isMember(_ object: ManagedObject) -> Bool {
            Swift.type(of: object) == Element.self || object is Element
        }
        if loaded.count == keys.count && loaded.allSatisfy(isMember) { return loaded }
        return withExtendedLifetime(loaded) {
            let table = context.table(of: known.destination)
            return keys.map { key in
                if let object = table.object(key) {
                    return isMember(object) ? object : lost(key, type)
                }
                return context.queries.placeholder(
                    for: key, entity: known.destination, isGone: isComplete, as: type)
            }
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
            // Force-unwrapped: an end of a relationship in the model has a side.
            let side = context.coordinator.model.side(
                context.coordinator.model.joinTables[index], end)!
            do {
                return try context.loader.areLinked(self, object, side)
            } catch {
                context.errors.report(error)
                return false
            }
        }
    }

    /// Adds an object to the relationship; does nothing if it is a member.
    ///
    /// - Returns: True if the object was not a member.
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
            context.relate(self, object, context.coordinator.model.joinTables[index], end)
        }
        return true
    }

    /// Removes an object from the relationship; does nothing if it is not a member.
    ///
    /// - Returns: True if the object was a member.
    @discardableResult
    final func removeMember(_ object: ManagedObject, _ relationship: Int) -> Bool {
        guard hasMember(object, relationship), let (context, known) = known(relationship) else {
            return false
        }
        switch known.storage {
        case .key: break
        case .members(let slot, _): object.setReference(0, at: slot)
        case .links(let index, let end):
            context.separate(self, object, context.coordinator.model.joinTables[index], end)
        }
        return true
    }

    /// Moves a member to another index of an ordered relationship.
    final func moveMember(_ object: ManagedObject, to index: Int, _ relationship: Int) {
        guard let (context, known) = known(relationship), let joinTable = known.joinTable,
            !object.has(ObjectFlags.detached)
        else { return }
        _ = memberKeys(relationship)
        guard var list = recordValue?.members[relationship] else { return }
        recordValue?.members[relationship] = nil
        let end: LinkEnd = if case .links(_, let end) = known.storage { end } else { .first }
        let index = min(max(index, 0), max(list.keys.count - 1, 0))
        for move in list.move(object.keyValue, to: index) {
            let joinRow = JoinRow(keyValue, move.key, from: end)
            let row = LinkChanges.Row(
                joinRow: joinRow, position: end == .first ? move.position : nil,
                inversePosition: end == .second ? move.position : nil)
            var original: LinkEdit.OriginalPositions?
            if context.joinRowEdits.hadPosition(move.key, in: known) {
                original = LinkEdit.OriginalPositions()
                original?.set(move.old, end)
            }
            context.joinRowEdits.move(row, in: joinTable, from: original)
        }
        context.joinRowEdits.takeBackOrder(of: self, &list, joinTable, end)
        context.joinRowEdits.keepRelated(self)
        context.joinRowEdits.keepRelated(object)
        recordValue?.members[relationship] = list
    }

    /// Whether this object and another one can be related: neither is deleted or detached.
    ///
    /// Reports an error otherwise, because an edit of a collection cannot throw.
    private final func isAlive(_ object: ManagedObject, _ relationship: Int) -> Bool {
        let isDead = object.has(ObjectFlags.deleted | ObjectFlags.detached)
        if !isDead && !has(ObjectFlags.deleted) { return true }
        let name = Self.entityDescription.relationships[relationship].name
        let dead = isDead ? object : self
        let absence = dead.absence ?? "is deleted"
        anchor.context?.errors.report(
            RecordStackError(
                .misuse,
                "\(object.objectID) was put into \(name) of \(objectID), and \(dead.objectID) \(absence). "
                    + "It was left out.", objectID: objectID, property: name))
        return false
    }
}

extension ManagedObjectContext {
    /// Adds a join row for two objects that have none.
    func relate(
        _ owner: ManagedObject, _ member: ManagedObject, _ joinTable: JoinTable, _ end: LinkEnd
    ) {
        var row = LinkChanges.Row(joinRow: JoinRow(owner.keyValue, member.keyValue, from: end))
        row.position = nextPosition(of: end == .first ? owner : member, joinTable, .first)
        row.inversePosition = nextPosition(of: end == .first ? member : owner, joinTable, .second)
        joinRowEdits.link(row, in: joinTable.index)
        members.show(row, in: joinTable, isThere: true)
        joinRowEdits.takeBackOrders(of: row, in: joinTable)
        joinRowEdits.keepRelated(owner)
        joinRowEdits.keepRelated(member)
        guard joinTable.isSymmetric, owner !== member else { return }
        var back = LinkChanges.Row(joinRow: row.joinRow.reversed)
        back.position = nextPosition(of: member, joinTable, .first)
        joinRowEdits.link(back, in: joinTable.index)
        members.show(back, in: joinTable, isThere: true)
        joinRowEdits.takeBackOrders(of: back, in: joinTable)
    }

    func separate(
        _ owner: ManagedObject, _ member: ManagedObject, _ joinTable: JoinTable, _ end: LinkEnd
    ) {
        let joinRow = JoinRow(owner.keyValue, member.keyValue, from: end)
        for joinRow in Set(joinTable.isSymmetric ? [joinRow, joinRow.reversed] : [joinRow]) {
            joinRowEdits.unlink(
                joinRow, in: joinTable.index,
                from: joinRowEdits.shownPositions(of: joinRow, in: joinTable))
            members.show(LinkChanges.Row(joinRow: joinRow), in: joinTable, isThere: false)
        }
        joinRowEdits.keepRelated(owner)
        joinRowEdits.keepRelated(member)
    }

    /// Returns the position after the last member; nil if the relationship is not ordered.
    private func nextPosition(
        of owner: ManagedObject, _ joinTable: JoinTable, _ end: LinkEnd
    ) -> Int64? {
        guard joinTable.end(end).isOrdered, let side = coordinator.model.side(joinTable, end) else {
            return nil
        }
        return owner.memberKeys(side.relationship).nextPosition
    }
}

extension ManagedObject {
    /// Returns the keys of a to-many relationship's members, in order if it is ordered.
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

    /// Returns the members' IDs as text, without reading the store.
    final func memberText(_ relationship: Int) -> String {
        if isDetached || recordValue?.members.keys(relationship) == nil { return "(not loaded)" }
        let ids = memberIDs(relationship).map { "\($0.entityName)/\($0.key)" }
        return "[\(ids.joined(separator: ", "))]"
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

    /// Returns the member at an index of a list of keys.
    ///
    /// Returns a placeholder object if its row is gone by now or cannot be loaded.
    ///
    /// - Parameter end: The index after the last member that may be loaded together with it.
    final func member<Element: ManagedObject>(
        at index: Int, among keys: ContiguousArray<Int64>, until end: Int, _ relationship: Int,
        _ type: Element.Type
    ) -> Element {
        let key = keys[index]
        guard let (context, known) = known(relationship) else { return lost(key, type) }
        let table = context.table(of: known.destination)
        if let object = table.object(key), !object.isFault { return member(object, type) }
        let end = min(end, index + Self.membersAtOnce)
        var (loaded, isComplete): ([ManagedObject], Bool) = ([], true)
        do {
            loaded = try context.loader.members(
                ContiguousArray(keys[index..<end]), of: self, relationship)
        } catch {
            isComplete = false
            context.errors.report(error)
        }
        return withExtendedLifetime(loaded) {
            if let object = table.object(key) { return member(object, type) }
            return context.queries.placeholder(
                for: key, entity: known.destination, isGone: isComplete, as: type)
        }
    }

    /// Returns an object as a member, or a placeholder object if it is of another class.
    ///
    /// Another program may have made such an object a member.
    private final func member<Element: ManagedObject>(
        _ object: ManagedObject, _ type: Element.Type
    ) -> Element {
        // Most objects have exactly the declared class, which proves the downcast. A cast checks
        // more.
        if Swift.type(of: object) == Element.self {
            return unsafeDowncast(object, to: Element.self)
        }
        return object as? Element ?? lost(object.keyValue, type)
    }

    private static var membersAtOnce: Int { 256 }

    /// Returns a detached object without a row, whose properties read as placeholders.
    final func lost<Element: ManagedObject>(_ key: Int64, _ type: Element.Type) -> Element {
        type.init(
            seed: ObjectSeed(
                anchor: Unmanaged.passUnretained(anchor), key: key, version: .noRow,
                status: .detached))
    }
}
