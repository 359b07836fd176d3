import RecordStackGraph
import RecordStackModel

// The members of to-many relationships.
extension BatchResolver {
    /// Loads the members of all existing objects, with one statement for each relationship.
    func loadMembers(of rows: [StagedRow]) throws {
        if !mapping.composite.hasReferences { return }
        var owners: [Owners: [ObjectIdentifier: ManagedObject]] = [:]
        for row in rows { try noteOwners(row, &owners) }
        for (key, objects) in owners {
            try context.loadMemberKeys(of: Array(objects.values), key.relationship)
        }
    }

    private struct Owners: Hashable {
        let type: ObjectIdentifier
        let relationship: Int
    }

    private func noteOwners(
        _ row: StagedRow, _ owners: inout [Owners: [ObjectIdentifier: ManagedObject]]
    ) throws {
        let mapping = row.mapping
        if mapping.relations.isEmpty || row.isDeclined { return }
        let found = try row.key.flatMap {
            try objects.objects(of: mapping)?.object(for: $0, at: row.keyIndex)
        }
        for (index, relation) in mapping.relations.enumerated() {
            let related = row.related(index)
            if let found, relation.needsMembers(of: found, for: related) {
                let key = Owners(
                    type: ObjectIdentifier(type(of: found)),
                    relationship: relation.description.index)
                owners[key, default: [:]][ObjectIdentifier(found)] = found
            }
            guard case .members(let members, _, _) = related else { continue }
            for case .row(let nested) in members { try noteOwners(nested, &owners) }
        }
    }

    /// Relates an object to the members in its row.
    ///
    /// - Returns: true if anything has changed.
    func relateMembers(
        of object: ManagedObject, _ related: StagedRelated, _ relation: ImportMapping.Relation,
        _ row: StagedRow, _ isNew: Bool
    ) throws -> Bool {
        var policy = relation.rules.members
        switch related {
        case .absent where isNew || relation.rules.absent == .leave: return false
        case .null where isNew || relation.leavesNull: return false
        case .absent:
            if policy == .add { policy = .replace }
            let members = assignedMembers(of: object, relation)
            return try relate(object, to: members, relation, policy)
        case .null:
            if policy == .add { policy = .replace }
        case .members(let members, let priority, let isArray):
            let rule = relation.rules.value
            if !isNew && rule == .whenNew { return false }
            let index = relation.description.index
            if !isNew && rule == .whenNil && !object.relatedObjects(index).isEmpty { return false }
            path.push(.key(relation.keys[priority]))
            defer { path.pop() }
            let found = try destinations(of: members, isArray: isArray, for: object, relation, row)
            // Without knowing all members of the source, no existing member can be called missing.
            if !found.areAll { policy = .add }
            let isToNote = relation.description.isOrdered && !waiting.isEmpty
            let before = isToNote ? object.relatedObjects(index).map(\.objectID) : []
            let isChanged = try relate(object, to: found.objects, relation, policy)
            if isToNote {
                let list = MemberOrder.List(members: found.members, replaces: policy != .add)
                noteOrder(of: object, list, relation, row, membersBefore: before)
            }
            if inverseAssignments != nil {
                for member in found.objects { noteAssignment(of: object, relation, member) }
            }
            return isChanged || found.areAnyMade
        }
        return try relate(object, to: [], relation, policy)
    }

    private struct Destinations {
        var objects: [ManagedObject] = []
        /// The objects, and the keys that still wait, in the order of the source.
        var members: [MemberOrder.Member] = []
        /// True if `objects` has all members that the source mentions.
        var areAll = true
        /// True if an object was created that referred to its owner before it became a member.
        var areAnyMade = false
    }

    private func destinations(
        of members: [StagedMember], isArray: Bool, for owner: ManagedObject,
        _ relation: ImportMapping.Relation, _ row: StagedRow
    ) throws -> Destinations {
        var found = Destinations()
        var seen = Set<ObjectIdentifier>()
        found.objects.reserveCapacity(members.count)
        let isShort = members.count <= Self.membersComparedOneByOne
        for (index, member) in members.enumerated() {
            if isArray { path.push(.index(index)) }
            defer { if isArray { path.pop() } }
            let waitingBefore = waitingOfRow.count
            var destination = try destination(of: member, relation, row, for: owner)
            if destination == nil, waitingOfRow.count > waitingBefore, let lastWaiting {
                found.members.append(.key(lastWaiting))
                continue
            }
            if destination == nil && relation.rules.members != .add {
                switch try leftOut(member, of: owner, relation) {
                case .member(let object): destination = object
                case .nobody: break
                case .unknown: found.areAll = false
                }
            }
            guard let destination else { continue }
            if case .row(let nested) = member, nested.isMadeForOwner { found.areAnyMade = true }
            let isNew =
                isShort
                ? !found.objects.contains { $0 === destination }
                : seen.insert(ObjectIdentifier(destination)).inserted
            if !isNew { continue }
            found.objects.append(destination)
            if relation.description.isOrdered {
                found.members.append(.object(destination.objectID))
            }
        }
        return found
    }

    private enum LeftOut {
        /// An existing member, which stays a member.
        case member(ManagedObject)
        case nobody
        case unknown
    }

    /// Finds out which object a member that was left out identifies.
    private func leftOut(
        _ member: StagedMember, of owner: ManagedObject, _ relation: ImportMapping.Relation
    ) throws -> LeftOut {
        // A bare key without an object identifies nothing.
        guard case .row(let nested) = member else {
            if case .key = member { return .nobody }
            return .unknown
        }
        guard let objects = try objects.objects(of: nested.mapping) else { return .nobody }
        guard let key = nested.key else { return .unknown }
        guard let object = try objects.object(for: key),
            owner.relatedObjects(relation.description.index).contains(where: { $0 === object })
        else { return .nobody }
        return .member(object)
    }

    /// For fewer members than this, a set costs more than it saves.
    private static var membersComparedOneByOne: Int { 16 }

    private func relate(
        _ object: ManagedObject, to wanted: [ManagedObject], _ relation: ImportMapping.Relation,
        _ policy: ImportMembersPolicy
    ) throws -> Bool {
        let index = relation.description.index
        // Importing the same source again usually changes nothing.
        if object.isRelated(toJust: wanted, index) { return false }
        var isChanged = false
        if policy != .add {
            let kept = Set(wanted.map(ObjectIdentifier.init))
            for member in object.relatedObjects(index)
            where !kept.contains(ObjectIdentifier(member)) {
                object.removeRelated(member, index)
                // Another row may still add the object to a relationship.
                if policy == .replaceAndDelete { abandoned[ObjectIdentifier(member)] = member }
                isChanged = true
            }
        }
        for member in wanted where object.addRelated(member, index) {
            abandoned[ObjectIdentifier(member)] = nil
            isChanged = true
        }
        if policy != .add && relation.description.isOrdered
            && object.orderRelated(wanted, index)
        {
            isChanged = true
        }
        return isChanged
    }
}

extension ImportMapping.Relation {
    /// Whether a null is treated like a missing key, and a missing key changes nothing.
    fileprivate var leavesNull: Bool { rules.null == .ignore && rules.absent == .leave }

    /// Whether the existing members must be loaded.
    ///
    /// They need not be loaded if members are only added and each member refers to its owner.
    fileprivate func needsMembers(of object: ManagedObject, for related: StagedRelated) -> Bool {
        if !description.isToMany { return false }
        return switch related {
        case .absent: rules.absent != .leave
        case .null: !leavesNull
        case .members:
            rules.members != .add || rules.value == .whenNil
                || !object.membersKnowOwner(description.index)
        }
    }
}
