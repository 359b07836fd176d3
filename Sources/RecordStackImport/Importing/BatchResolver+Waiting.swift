import RecordStackGraph
import RecordStackModel

/// The key of an object that there is not yet: a later row may bring it.
package struct WaitingLink: Sendable {
    /// Where the object is to be related.
    struct Place: Sendable, Hashable {
        let owner: ManagedObjectID
        /// The entity whose mapping has the relation, and the place there.
        let entity: String
        let relation: Int
    }

    let place: Place
    let key: StoredValue
    /// The member before which it stands in an ordered relationship; nil for the end.
    var next: ManagedObjectID?
    let row: Int
    let path: String
    /// Whether the row itself has the key, not an object that is nested in it.
    let isOfRow: Bool
    /// Whether the row was counted as one that changes nothing.
    var isOfUnchanged = false
}

// Keys that lead to nobody, where an object cannot be made of the key alone.
extension BatchResolver {
    /// Has an object wait for the one of a key.
    func wait(
        for key: StoredValue, _ relation: ImportMapping.Relation, _ row: StagedRow,
        _ owner: ManagedObject
    ) {
        let mapping = row.mapping
        guard let index = mapping.relations.firstIndex(where: { $0 === relation }) else { return }
        let place = WaitingLink.Place(
            owner: owner.objectID, entity: mapping.entity.name, relation: index)
        let link = WaitingLink(
            place: place, key: key, row: row.number, path: path.text, isOfRow: row.owner == nil)
        waiting[place, default: []].append(link)
        waitingOfRow.append(place)
    }

    /// What a row says of a relationship counts more than what an earlier one did.
    func stopWaiting(
        _ owner: ManagedObject, _ row: StagedRow, _ index: Int
    ) {
        let relation = row.mapping.relations[index]
        let rules = relation.rules
        switch row.related(index) {
        case .absent where rules.absent == .leave: return
        case .null where rules.null == .ignore && rules.absent == .leave: return
        case .members where rules.value != .set: return
        case .members where relation.description.isToMany && rules.members == .add: return
        default: break
        }
        let place = WaitingLink.Place(
            owner: owner.objectID, entity: row.mapping.entity.name, relation: index)
        waiting[place] = nil
    }

    /// Gives those that an owner began to wait for their place before a member.
    func placeWaiting(from first: Int, of owner: ManagedObject, before member: ManagedObject) {
        for place in Set(waitingOfRow[first...]) where place.owner == owner.objectID {
            guard var links = waiting[place] else { continue }
            for index in links.indices where links[index].next == nil {
                links[index].next = member.objectID
            }
            waiting[place] = links
        }
    }

    /// Tells those of a row what has become of it.
    func tellWaiting(_ outcome: Outcome?) {
        defer { waitingOfRow.removeAll(keepingCapacity: true) }
        guard outcome == .unchanged else { return }
        for place in Set(waitingOfRow) {
            guard var links = waiting[place] else { continue }
            for index in links.indices where links[index].isOfRow {
                links[index].isOfUnchanged = true
            }
            waiting[place] = links
        }
    }

    /// Takes those that still wait, in the order of their rows.
    func takeWaiting() -> [WaitingLink] {
        defer { waiting = [:] }
        return waiting.values.flatMap { $0 }.sorted { $0.row < $1.row }
    }

    /// Relates what has come meanwhile.
    /// - Parameters:
    ///   - relation: finds a relation by its place.
    ///   - isLast: whether no row is to come that could say of which kind an object is: it is made then.
    /// - Returns: those that wait on.
    func link(
        _ links: [WaitingLink], _ relation: (WaitingLink.Place) -> ImportMapping.Relation?,
        isLast: Bool = false
    ) throws -> [WaitingLink] {
        var left = LeftLinks()
        var updated: Set<Int> = []
        for start in stride(from: 0, to: links.count, by: Self.linksTogether) {
            let links = links[start..<min(start + Self.linksTogether, links.count)]
            objects.beginBatch()
            for link in links {
                guard let relation = relation(link.place), let key = LookupKey(link.key) else {
                    continue
                }
                try objects.objects(of: relation.destination)?.want(key)
            }
            try objects.prepare()
            let owners = try context.objects(of: Set(links.map(\.place.owner)))
            for link in links {
                guard let relation = relation(link.place) else { continue }
                // An owner that was deleted meanwhile waits for nobody.
                guard let owner = owners[link.place.owner] else { continue }
                let isToMake = isLast && relation.waitsForKind
                guard
                    let object = try stored(.key(link.key), relation)
                        ?? (isToMake ? makeObject(of: link.key, relation) : nil)
                else {
                    left.append(link)
                    continue
                }
                if relation.description.isOrdered, relation.problem(leadingTo: object) == nil {
                    left.place(before: object, link)
                }
                let isChanged = relate(owner, to: object, link, relation)
                if isChanged && link.isOfUnchanged { updated.insert(link.row) }
            }
        }
        report.unchanged -= updated.count
        report.updated += updated.count
        return left.links
    }

    private static var linksTogether: Int { 1_000 }

    private func relate(
        _ owner: ManagedObject, to object: ManagedObject, _ link: WaitingLink,
        _ relation: ImportMapping.Relation
    ) -> Bool {
        see(object)
        if let problem = relation.problem(leadingTo: object) {
            report(link, relation, problem)
            return false
        }
        if let slot = relation.description.slot { return owner.relate(to: object, at: slot) }
        let index = relation.description.index
        guard owner.addRelated(object, index) else { return false }
        abandoned[ObjectIdentifier(object)] = nil
        if relation.description.isOrdered, let next = link.next {
            owner.placeRelated(object, before: next, index)
        }
        return true
    }

    /// Reports those for whom nobody has come.
    func reportMissing(
        _ links: [WaitingLink], _ relation: (WaitingLink.Place) -> ImportMapping.Relation?
    ) {
        for link in links {
            guard let relation = relation(link.place) else { continue }
            report(link, relation, missingForGood(link.key, relation))
        }
    }

    private func report(
        _ link: WaitingLink, _ relation: ImportMapping.Relation, _ message: String
    ) {
        report.problems.append(
            ImportProblem(
                row: link.row, path: link.path, property: relation.description.name,
                message: message, isRowSkipped: false))
    }
}

/// Those that wait on, in their order.
private struct LeftLinks {
    private(set) var links: [WaitingLink] = []
    /// Which of them nothing that was related has followed yet, by where they are to be related.
    private var last: [WaitingLink.Place: [Int]] = [:]

    mutating func append(_ link: WaitingLink) {
        last[link.place, default: []].append(links.count)
        links.append(link)
    }

    /// An object that is related now stands behind those of its owner that wait on.
    mutating func place(before object: ManagedObject, _ link: WaitingLink) {
        for index in last.removeValue(forKey: link.place) ?? []
        where links[index].next == link.next {
            links[index].next = object.objectID
        }
    }
}
