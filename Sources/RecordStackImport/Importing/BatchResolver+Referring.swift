import RecordStackGraph
import RecordStackModel

// Keys without an object, from which the import cannot create the object.
extension BatchResolver {
    /// Returns the location of the reference that a row has in a relationship.
    private func location(
        _ owner: ManagedObject, _ row: StagedRow, _ relation: ImportMapping.Relation
    ) -> ForwardReference.Location? {
        let mapping = row.mapping
        guard let index = mapping.relations.firstIndex(where: { $0 === relation }) else {
            return nil
        }
        return ForwardReference.Location(
            owner: owner.objectID, entity: mapping.entity.name, relation: index)
    }

    /// Records a forward reference from an object to the object of a key.
    ///
    /// - Parameter edit: completes the reference.
    func wait(
        for key: ForwardKey, _ relation: ImportMapping.Relation, _ row: StagedRow,
        _ owner: ManagedObject, _ edit: (inout ForwardReference) -> Void = { _ in }
    ) {
        guard let location = location(owner, row, relation) else { return }
        var reference = ForwardReference(
            location: location, key: key, row: row.number, path: path.text,
            isOfRow: row.owner == nil)
        edit(&reference)
        waiting[location, default: []].append(reference)
        waitingOfRow.append(reference.location)
        lastWaiting = key
    }

    /// Drops the forward references of earlier rows that a row's value of a relationship replaces.
    func stopWaiting(_ owner: ManagedObject, _ row: StagedRow, _ index: Int) {
        let relation = row.mapping.relations[index]
        let rules = relation.rules
        switch row.related(index) {
        case .absent where rules.absent == .leave: return
        case .null where rules.null == .ignore && rules.absent == .leave: return
        case .members where rules.value != .set: return
        case .members where relation.description.isToMany && rules.members == .add: return
        default: break
        }
        guard let location = location(owner, row, relation) else { return }
        waiting[location] = nil
        orders[location] = nil
        if earlierLocations.contains(location) { supersededLocations.insert(location) }
    }

    /// Records a list of ordered members if a member of it, or of an earlier list, does not exist.
    ///
    /// - Parameter membersBefore: the members before the list.
    func noteOrder(
        of owner: ManagedObject, _ list: MemberOrder.List, _ relation: ImportMapping.Relation,
        _ row: StagedRow, membersBefore: [ManagedObjectID]
    ) {
        guard let location = location(owner, row, relation) else { return }
        if orders[location] != nil {
            orders[location]?.lists.append(list)
        } else if waiting[location] != nil {
            orders[location] = MemberOrder(membersBefore: membersBefore, lists: [list])
        }
    }

    /// Marks the current row's forward references if the row was counted as unchanged.
    ///
    /// If one of them is linked later, the row counts as updated.
    func tellWaiting(_ outcome: Outcome?) {
        defer { waitingOfRow.removeAll(keepingCapacity: true) }
        guard outcome == .unchanged else { return }
        for location in Set(waitingOfRow) {
            guard var references = waiting[location] else { continue }
            for index in references.indices where references[index].isOfRow {
                references[index].isOfUnchanged = true
            }
            waiting[location] = references
        }
    }

    /// Removes and returns the references that still wait, in the order of their rows.
    func takeWaiting() -> ForwardReferences {
        defer { (waiting, orders) = ([:], [:]) }
        // The second sort is stable, so references of one location keep their order.
        let all = waiting.values.sorted { ($0[0].row, $0[0].path) < ($1[0].row, $1[0].path) }
            .flatMap { $0 }
        return ForwardReferences(all.sorted { $0.row < $1.row }, orders)
    }
}

// MARK: Nested objects that are not there yet

extension BatchResolver {
    /// Records a forward reference to a nested object that could not be created.
    ///
    /// A later row may bring the object in full.
    ///
    /// - Parameter problems: the number of problems before the nested object was tried.
    /// - Returns: true if the owner waits. The reference then keeps the problems found since.
    func waits(
        for row: StagedRow, _ relation: ImportMapping.Relation, of outer: StagedRow,
        _ owner: ManagedObject, after problems: Int
    ) throws -> Bool {
        guard relation.rules.missing != .fail, row.isFitForFound, try stored(row) == nil,
            let key = try forwardKey(of: row)
        else { return false }
        let found = Array(report.problems[problems...])
        report.problems.removeSubrange(problems...)
        wait(for: key, relation, outer, owner) {
            $0.problems = found
            $0.saysMore = !row.isKeyAlone
            // A later row may bring the object of the key, and then nothing is missing.
            if case .several = key {
                $0.makesObject = row.isKeyAlone && relation.makesObjectsOfKeys
            }
        }
        return true
    }

    /// Records a forward reference if a nested object is only a key of unknown entity.
    ///
    /// A later row may determine the entity. Otherwise the import creates the object at the end.
    func waitsForKind(
        of row: StagedRow, _ relation: ImportMapping.Relation, in outer: StagedRow,
        _ owner: ManagedObject
    ) throws -> Bool {
        guard row.isKindUnsaid, !row.isDeclined, row.refusal == nil,
            let slot = row.mapping.identitySlot,
            row.mapping.attributes[slot] != nil, row[slot].kind == .value, row.isKeyAlone,
            relation.canMakeObjectsOfKeys, try stored(row) == nil
        else { return false }
        wait(for: .one(row.cells[slot].storedValue), relation, outer, owner) {
            $0.makesObject = true
        }
        return true
    }

    /// Returns the existing object of a nested row that lacks its discriminator, if there is one.
    ///
    /// The object has an entity already, so the row can refer to it.
    func objectOfAnyKind(_ row: StagedRow) throws -> ManagedObject? {
        guard row.owner != nil, row.isKindUnsaid, row.refusal != nil else { return nil }
        return try stored(row)
    }

    /// Uses a nested row that lacks its discriminator as a reference to an object.
    ///
    /// Without the entity, the other values of the row cannot be read. They are reported as lost,
    /// as when a later row brings the object.
    ///
    /// - Returns: nil for an object to which the row cannot refer, which is reported.
    func refer(
        _ row: StagedRow, to object: ManagedObject
    ) throws -> (object: ManagedObject, outcome: Outcome)? {
        see(object)
        guard isKind(object, of: row.mapping, row) else { return nil }
        if row.isKeyAlone { return try apply(row, to: object).map { (object, $0) } }
        let refusal = (row.refusal ?? "").withoutFullStop
        note(row, key: "", nil, "\(refusal): of the object the reference alone was taken.")
        return (object, .unchanged)
    }

    /// Returns the key of a row's object, even if an object in its identity does not exist yet.
    ///
    /// Nil if a part of the identity is missing.
    private func forwardKey(of row: StagedRow) throws -> ForwardKey? {
        let mapping = row.mapping
        var parts: [ForwardKey.Part] = []
        for slot in mapping.entity.identitySlots {
            guard let part = try forwardPart(of: row, at: slot) else { return nil }
            parts.append(part)
        }
        if parts.isEmpty { return nil }
        if parts.count == 1, case .value(let value) = parts[0] { return .one(value) }
        return .several(parts)
    }

    private func forwardPart(of row: StagedRow, at slot: Int) throws -> ForwardKey.Part? {
        let mapping = row.mapping
        if mapping.attributes[slot] != nil {
            return row[slot].kind == .value ? .value(row.cells[slot].storedValue) : nil
        }
        if let owner = row.inverseOwner(at: slot) {
            return owner.row.object.map { .known($0.objectID) }
        }
        guard let index = mapping.relation(at: slot),
            case .members(let members, _, _) = row.related(index)
        else { return nil }
        switch members[0] {
        case .unfit: return nil
        case .key(let value): return .object(.one(value))
        case .row(let nested):
            if let object = try stored(nested) { return .known(object.objectID) }
            return try forwardKey(of: nested).map { .object($0) }
        }
    }
}

extension StagedRow {
    /// Whether the row has no values besides the identity of its object.
    var isKeyAlone: Bool {
        let parts = mapping.entity.identitySlots
        for slot in 0..<rows.width where !isAbsent(slot) && !parts.contains(slot) { return false }
        for (relationIndex, relation) in mapping.relations.enumerated() {
            if let slot = relation.description.slot, parts.contains(slot) { continue }
            guard case .absent = related(relationIndex) else { return false }
        }
        return true
    }

    /// Whether the row only refers to its object, and so changes nothing in it.
    var isReference: Bool { owner != nil && isKeyAlone }

    /// Whether an existing object would accept the row.
    ///
    /// If such a row creates no object, the reason is an absent value.
    fileprivate var isFitForFound: Bool {
        if isDeclined || refusal != nil && !isKindUnsaid { return false }
        return mapping.imported.allSatisfy { attribute in
            let description = attribute.description
            switch self[attribute.slot].kind {
            case .absent, .value: return true
            case .unfit: return description.isOptional && !attribute.isIdentity
            case .null:
                return attribute.rules.null == .ignore || description.isOptional
                    || description.defaultValue != nil
            }
        }
    }
}
