import RecordStackModel

// An order that is what it was before is no change, however it came about.
extension PairEdits {
    /// Takes the moves of an owner's members back where these stand as they stood before the first one.
    ///
    /// The moves stay if a member was added or removed here, if nobody has seen where a member stood, or if a member stands
    /// elsewhere. The look ends at the first such member, so a loop of moves stays linear.
    /// - Parameter returning: a member that a setter is leading back to the owner whose key its row has.
    /// - Returns: whether there were any moves to be taken back.
    @discardableResult
    func takeBackOrder(
        of owner: ManagedObject, _ list: inout MemberKeys, _ linkage: Int, _ end: LinkEnd,
        returning: Int64? = nil
    ) -> Bool {
        let partners = links[linkage].partners(of: owner.keyValue, end)
        if partners.isEmpty { return false }
        let pair = { LinkPair(owner.keyValue, $0, from: end) }
        let original = { self.links[linkage][pair($0)]?.original?.position(end) }
        if list.isKnownToBeReordered(original) { return false }
        for key in partners {
            let isMove = isMove(pair(key), in: linkage, end, isReinserted: key == returning)
            guard isMove, list.stands(key, inOrderOf: original) else { return false }
        }
        guard partners.allSatisfy({ canForget(pair($0), in: linkage) }) else { return false }
        for key in partners {
            guard var edit = links[linkage][pair(key)], let old = edit.original?.position(end)
            else { continue }
            edit.takeBack(end)
            list.insert(key, position: old)
            links[linkage][pair(key)] = edit.isTakenBack ? nil : edit
        }
        return true
    }

    /// The same for both objects of a pair, where their relationships are loaded.
    func takeBackOrders(of row: LinkChanges.Row, in linkage: Linkage) {
        for end in [LinkEnd.first, .second] where linkage.end(end).isOrdered {
            guard let side = model.side(linkage, end) else { continue }
            takeBackOrder(side, by: tables[side.hierarchy].object(row.pair.key(end)))
        }
    }

    /// - Parameter owner: this context's object, or a child's, whose list is looked at.
    /// - Returns: whether there were any moves to be taken back; nil where no list is loaded.
    @discardableResult
    private func takeBackOrder(_ side: LinkSide, by owner: ManagedObject?) -> Bool? {
        guard let owner, let record = owner.recordValue,
            var list = record.members[side.relationship]
        else { return nil }
        // Changed in place: there is one reference to the list.
        record.members[side.relationship] = nil
        defer { record.members[side.relationship] = list }
        return takeBackOrder(of: owner, &list, side.linkage.index, side.end)
    }

    /// The same where a child has handed changes of pairs over. A list that this context has not loaded is looked at in
    /// the child, which has nothing of its own any more.
    func takeBackOrders(of changes: [LinkChanges], from child: ManagedObjectContext) {
        for changes in changes {
            let linkage = model.linkages[changes.linkage]
            let pairs = changes.removed + (changes.added + changes.moved).map(\.pair)
            for end in [LinkEnd.first, .second] where linkage.end(end).isOrdered {
                guard let side = model.side(linkage, end) else { continue }
                for key in Set(pairs.map { $0.key(end) }) {
                    takeBackOrder(of: key, side, from: child)
                }
            }
        }
    }

    private func takeBackOrder(of key: Int64, _ side: LinkSide, from child: ManagedObjectContext) {
        let below = child.tables[side.hierarchy].object(key)
        if let isTakenBack = takeBackOrder(side, by: tables[side.hierarchy].object(key)) {
            // The child's list has the places from before.
            if isTakenBack { below.map(child.members.forgetMembers) }
        } else if takeBackOrder(side, by: below) == nil {
            dropTakenBack(of: key, in: side.linkage.index, side.end)
        }
    }

    /// Forgets edits of an owner's members that all stand at their very places again. Whether others of another place
    /// follow each other as before is for a list to say, and none is loaded.
    private func dropTakenBack(of owner: Int64, in linkage: Int, _ end: LinkEnd) {
        let pairs = links[linkage].pairs(of: owner, end)
        let isTakenBack = pairs.allSatisfy { pair in
            links[linkage][pair]?.isTakenBack == true && isMove(pair, in: linkage, end)
                && canForget(pair, in: linkage)
        }
        if isTakenBack { for pair in pairs { links[linkage][pair] = nil } }
    }

    /// The places that a pair had before a child changed it, as far as they are known. What the child has made over an
    /// ancestor's edit that has changed since was measured there.
    func placesBefore(
        _ pair: LinkPair, in linkage: Linkage, from child: ManagedObjectContext?
    ) -> LinkEdit.OriginalPlaces? {
        if let shown = shownPlaces(of: pair, in: linkage) { return shown }
        guard hadPlaces(pair, in: linkage), let child,
            let edit = child.pairs.links[linkage.index][pair],
            !child.pairs.isStale(edit, of: pair, in: linkage.index)
        else { return nil }
        return edit.original
    }

    /// Whether all that an edit says is that the pair has other places than one that is known.
    private func isMove(
        _ pair: LinkPair, in linkage: Int, _ end: LinkEnd, isReinserted: Bool = false
    ) -> Bool {
        guard let edit = links[linkage][pair],
            isReinserted || hadPlaces(pair, in: model.linkages[linkage])
        else { return false }
        return edit.kind == .moved && !edit.isUncertain && edit.original?.position(end) != nil
            && !isStale(edit, of: pair, in: linkage)
    }

    /// Keeps where a loaded pair stands below this context's edit of it, unless that is known.
    func noteOriginal(_ position: Int64, of pair: LinkPair, in linkage: Int, _ end: LinkEnd) {
        guard let edit = links[linkage][pair], edit.kind != .added,
            edit.original?.position(end) == nil
        else { return }
        var original = edit.original ?? LinkEdit.OriginalPlaces()
        original.set(position, end)
        links[linkage].noteOriginal(original, of: pair)
    }

    /// Whether a member's place in an order was there before this context changed anything. Where members keep the key
    /// of their owner, one that has come from elsewhere has no place yet but that behind the others.
    func hadPlace(_ key: Int64, in relationship: ModelRelationship) -> Bool {
        guard case .members(let slot, _) = relationship.storage,
            let member = table(of: relationship.destination).object(key),
            member.has(ObjectFlags.dirty)
        else { return true }
        return !member.has(ObjectFlags.inserted) && !member.changedSlots.contains(slot)
    }

    /// The same of a pair, which has no places before either where its member's row keeps the key of another owner.
    private func hadPlaces(_ pair: LinkPair, in linkage: Linkage) -> Bool {
        guard let side = model.side(linkage, .first) else { return true }
        return hadPlace(pair.second, in: relationship(of: side))
    }

    /// The places that a pair has in the loaded relationships of its objects; nil where none is loaded.
    func shownPlaces(of pair: LinkPair, in linkage: Linkage) -> LinkEdit.OriginalPlaces? {
        var places: LinkEdit.OriginalPlaces?
        for end in [LinkEnd.first, .second] where linkage.end(end).isOrdered {
            guard let side = model.side(linkage, end),
                hadPlace(pair.key(end.other), in: relationship(of: side)),
                let list = tables[side.hierarchy].object(pair.key(end))?.recordValue?
                    .members[side.relationship],
                let position = list.position(of: pair.key(end.other))
            else { continue }
            places = places ?? LinkEdit.OriginalPlaces()
            places?.set(position, end)
        }
        return places
    }

    private func relationship(of side: LinkSide) -> ModelRelationship {
        let declared = model.relations[side.relation]
        return model.modelEntities[declared.entity].relationships[side.relationship]
    }

    /// Others have given a pair other places, which an edit made here hides.
    func noteSavedPlaces(_ row: LinkChanges.Row, in linkage: Int) {
        guard links[linkage].knowsPlaces(of: row.pair) else { return }
        // Under an ancestor's edit of the pair, what the store has is nobody's place here.
        if above?.edit(of: row.pair, in: linkage) != nil { return }
        if let position = row.position { links[linkage].moveLeft(row.pair, to: position) }
        guard let edit = links[linkage][row.pair], edit.kind != .added else { return }
        var original = edit.original ?? LinkEdit.OriginalPlaces()
        if let position = row.position { original.set(position, .first) }
        if let position = row.inversePosition { original.set(position, .second) }
        links[linkage].noteOriginal(original, of: row.pair)
    }
}
