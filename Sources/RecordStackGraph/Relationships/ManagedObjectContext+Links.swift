import RecordStackModel

/// A relationship that is kept in a link table, seen from its owners.
struct LinkSide {
    let linkage: Linkage
    let end: LinkEnd
    /// The relationship: its place in the model, and among its owner's.
    let relation: Int
    let relationship: Int
    /// The hierarchy of the owners.
    let hierarchy: Int
}

// What a context changes of relationships that are kept beside the rows of objects. Pairs are a set:
// an edit says that one is there, or is not, whatever others do.
extension ManagedObjectContext {
    /// The relationships by link tables whose members are of an entity.
    func linkEnds(leadingTo entity: Int) -> [LinkSide] {
        let model = coordinator.model
        if model.linkages.isEmpty { return [] }
        return model.linkages.filter(\.isTable).flatMap { linkage in
            [LinkEnd.first, .second].compactMap { end -> LinkSide? in
                // Its members may be of the entity, or it of theirs.
                guard let side = side(linkage, end),
                    model.areKin(linkage.end(end.other).entity, entity)
                else { return nil }
                return side
            }
        }
    }

    /// A relationship of a linkage; nil where its end has none, or has the same as the other end.
    func side(_ linkage: Linkage, _ end: LinkEnd) -> LinkSide? {
        if linkage.isSymmetric && end == .second { return nil }
        guard let relation = linkage.end(end).relation else { return nil }
        let model = coordinator.model
        let declared = model.relations[relation]
        return LinkSide(
            linkage: linkage, end: end, relation: relation, relationship: declared.relationship,
            hierarchy: model.modelEntities[declared.entity].hierarchy)
    }

    /// What this context and its ancestors have changed of a pair, this context's last.
    func edit(of pair: LinkPair, in linkage: Int) -> LinkEdit? {
        var context = self
        while true {
            if let edit = context.links[linkage][pair] { return edit }
            guard let parent = context.parentContext else { return nil }
            context = parent
        }
    }

    /// Whether any context from here to the root has changed something of a linkage.
    func hasEdits(of linkage: Int) -> Bool {
        var hasEdits = false
        forEachUp { hasEdits = hasEdits || !$0.links[linkage].isEmpty }
        return hasEdits
    }

    /// Adds a pair, or gives one other places.
    /// - Parameter isUncertain: whether nobody knows if the store has it.
    func link(_ row: LinkChanges.Row, in linkage: Int, isUncertain: Bool = false) {
        var edit = links[linkage][row.pair]
        var isUncertain = isUncertain || isMadeBlindly(over: edit, of: row.pair, in: linkage)
        switch edit?.kind {
        case .added: edit?.place(like: row)
        case .moved:
            // It was there, and somebody has taken it away since: other places are not enough.
            edit?.place(like: row)
            edit?.kind = .added
            isUncertain = true
        case .removed where isUncertain || !canForget(row.pair, in: linkage):
            // The removal may be in the store, or will be in the next moment.
            edit = made(.added, row, in: linkage)
            isUncertain = true
        case .removed:
            let isPlaced = row.position != nil || row.inversePosition != nil
            let original = edit?.original
            edit = isPlaced ? made(.moved, row, in: linkage) : nil
            edit?.original = original
        case nil: edit = made(.added, row, in: linkage)
        }
        if isUncertain { edit?.isUncertain = true }
        edit?.serial = nextSerial()
        links[linkage][row.pair] = edit
    }

    /// Gives a pair that is there other places.
    /// - Parameter original: the places that the pair has now, as far as they are known.
    func move(
        _ row: LinkChanges.Row, in linkage: Int, from original: LinkEdit.OriginalPlaces? = nil
    ) {
        var edit = links[linkage][row.pair] ?? made(.moved, row, in: linkage, original)
        edit.place(like: row)
        edit.serial = nextSerial()
        links[linkage][row.pair] = edit
    }

    /// Removes a pair.
    /// - Parameters:
    ///   - isUncertain: whether nobody knows if the store has it.
    ///   - original: the places that the pair has now, as far as they are known.
    func unlink(
        _ pair: LinkPair, in linkage: Int, isUncertain: Bool = false,
        from original: LinkEdit.OriginalPlaces? = nil
    ) {
        let edit = links[linkage][pair]
        var isUncertain = isUncertain || isMadeBlindly(over: edit, of: pair, in: linkage)
        if edit?.kind == .added {
            if !isUncertain && canForget(pair, in: linkage) {
                links[linkage][pair] = nil
                return
            }
            isUncertain = true
        }
        // A pair that was added here had no places before.
        let original = edit == nil ? original : edit?.original
        links[linkage][pair] = LinkEdit(
            kind: .removed, serial: nextSerial(), isUncertain: isUncertain,
            base: base(of: pair, in: linkage), original: original)
    }

    /// Whether an edit of a pair that is taken back can be as if it had never been: no save has carried it.
    func canForget(_ pair: LinkPair, in linkage: Int) -> Bool {
        !mayBeSaved && published?.withdraw(pair, in: linkage, during: tree.turn) != false
    }

    /// Whether an edit was made over an ancestor's edit that has changed since, or over none where there is one now.
    func isStale(_ edit: LinkEdit, of pair: LinkPair, in linkage: Int) -> Bool {
        edit.base != base(of: pair, in: linkage)
    }

    /// Whether nobody knows if the store has a pair that is changed now: what is shown here may be older than what the
    /// ancestors have, or this takes the place of an edit of which nobody knows.
    private func isMadeBlindly(
        over edit: LinkEdit?, of pair: LinkPair, in linkage: Int
    ) -> Bool {
        if hasUnseenEditsAbove(of: linkage) { return true }
        guard let edit else { return false }
        return edit.isUncertain || isStale(edit, of: pair, in: linkage)
    }

    /// The nearest edit of a pair that an ancestor has made.
    func base(of pair: LinkPair, in linkage: Int) -> LinkEdit.Base? {
        var (level, ancestor) = (1, parentContext)
        while let context = ancestor {
            if let edit = context.links[linkage][pair] {
                return LinkEdit.Base(level: level, serial: edit.serial)
            }
            (level, ancestor) = (level + 1, context.parentContext)
        }
        return nil
    }

    /// What a save or a push does to the pairs of a linkage.
    func linkChanges(of linkage: Int) -> LinkChanges {
        links[linkage].changes(linkage: linkage) { isStale($1, of: $0, in: linkage) }
    }

    private func made(
        _ kind: LinkEdit.Kind, _ row: LinkChanges.Row, in linkage: Int,
        _ original: LinkEdit.OriginalPlaces? = nil
    ) -> LinkEdit {
        LinkEdit(
            kind: kind, position: row.position, inversePosition: row.inversePosition, serial: 0,
            base: base(of: row.pair, in: linkage), original: original)
    }

    private func nextSerial() -> Int {
        linkSerial += 1
        return linkSerial
    }

    /// Forgets what was changed of pairs that an object is one of.
    func dropLinks(of object: ManagedObject) {
        dropLinks(ofKey: object.keyValue, entity: entityIndex(of: object))
    }

    func dropLinks(ofKey key: Int64, entity: Int) {
        for linkage in coordinator.model.linkages where !links[linkage.index].isEmpty {
            for end in [LinkEnd.first, .second]
            where coordinator.model.areKin(linkage.end(end).entity, entity) {
                for pair in links[linkage.index].pairs(of: key, end) {
                    links[linkage.index][pair] = nil
                }
            }
        }
    }

    /// An object leaves the loaded relationships by link tables that it is a member of.
    func leaveLinks(_ key: Int64, entity: Int) {
        for side in linkEnds(leadingTo: entity) {
            for owner in loadedMembers.owners(of: side.relation) {
                tables[side.hierarchy].object(owner)?.recordValue?
                    .members[side.relationship]?.remove(key)
            }
        }
    }

    /// Shows a pair, or shows it no more, in the loaded relationships of its objects.
    func show(_ row: LinkChanges.Row, in linkage: Linkage, isThere: Bool) {
        if loadedMembers.isEmpty { return }
        for end in [LinkEnd.first, .second] {
            guard let side = shownSide(linkage, end) else { continue }
            let owner = tables[side.hierarchy].object(row.pair.key(end))
            guard let record = owner?.recordValue,
                var members = record.members[side.relationship]
            else { continue }
            // Changed in place: there is one reference to the list.
            record.members[side.relationship] = nil
            let member = row.pair.key(end.other)
            if isThere {
                members.enter(member, row.position(end))
            } else {
                members.remove(member)
            }
            record.members[side.relationship] = members
        }
    }

    /// The relationship of an end, also where a column keeps its order.
    private func shownSide(_ linkage: Linkage, _ end: LinkEnd) -> LinkSide? {
        if !linkage.isTable && end == .second { return nil }
        return side(linkage, end)
    }
}

extension ManagedObjectModel {
    /// Whether an object may be of both entities.
    func areKin(_ a: Int, _ b: Int) -> Bool {
        modelEntities[a].kinds.contains(b) || modelEntities[b].kinds.contains(a)
    }
}
