import RecordStackGraph
import RecordStackModel

// Keys that no object has yet, where an object cannot be made of the key alone.
extension BatchResolver {
    /// Where an object is related that a row speaks of.
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

    /// Has an object wait for the one of a key.
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

    /// What a row says of a relationship counts more than what an earlier one did.
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

    /// Takes note of a list of ordered members, where any of them, or of an earlier list, is not there yet.
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

    /// Tells those of a row what has become of it.
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

    /// Takes those that still wait, in the order of their rows.
    func takeWaiting() -> ForwardReferences {
        defer { (waiting, orders) = ([:], [:]) }
        // The references of one location stay in the order in which they came.
        let all = waiting.values.sorted { ($0[0].row, $0[0].path) < ($1[0].row, $1[0].path) }
            .flatMap { $0 }
        return ForwardReferences(all.sorted { $0.row < $1.row }, orders)
    }
}

// MARK: Nested objects that are not there yet

extension BatchResolver {
    /// Has the owner of a nested object that could not be made wait for a row that brings it whole.
    /// - Parameter problems: how many problems there were before.
    /// - Returns: whether it waits; the problems are those of the reference then.
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

    /// Whether a nested object is nothing but the key of one of which a later row may say the kind. It is made at the end
    /// otherwise.
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

    /// The object of a nested row that does not say its kind, where there is one: it is of some kind already, so the row can
    /// refer to it.
    func objectOfAnyKind(_ row: StagedRow) throws -> ManagedObject? {
        guard row.owner != nil, row.isKindUnsaid, row.refusal != nil else { return nil }
        return try stored(row)
    }

    /// Takes a nested row that does not say its kind for a reference to an object. What else it says cannot be read
    /// without the kind, and is reported as lost, as where a later row brings the object.
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

    /// The key of a row's object, although an object that a part refers to may not be there yet; nil where a part is
    /// missing.
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
    /// Whether the row says nothing but by what its object is known.
    var isKeyAlone: Bool {
        let parts = mapping.entity.identitySlots
        for slot in 0..<rows.width where !isAbsent(slot) && !parts.contains(slot) { return false }
        for (relationIndex, relation) in mapping.relations.enumerated() {
            if let slot = relation.description.slot, parts.contains(slot) { continue }
            guard case .absent = related(relationIndex) else { return false }
        }
        return true
    }

    /// Whether the row does no more than refer to its object, of which it changes nothing then.
    var isReference: Bool { owner != nil && isKeyAlone }

    /// Whether an object that is there would take the row: where it was not made of the row, something is absent.
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
