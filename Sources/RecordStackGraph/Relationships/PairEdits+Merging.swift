import RecordStackModel

// What becomes of edits of pairs when they, or others' edits, are saved, handed over or given up.
extension PairEdits {
    /// What was captured for a save is in the store. Later edits stay: they say what is to be there.
    /// - Parameter isShared: whether contexts below may have changed the same pairs; what is loaded of
    ///   those is loaded anew.
    func acknowledge(upTo serial: Int?, isShared: Bool) {
        guard let serial else { return }
        for linkage in model.linkages where !links[linkage.index].isEmpty {
            for (pair, edit) in links[linkage.index].edits where edit.serial <= serial {
                links[linkage.index][pair] = nil
                if isShared { forgetMembers(on: pair, linkage) }
            }
        }
        releaseRelated()
    }

    /// Takes in what was committed. What was changed here stays as it is; where both sides have done
    /// the same, nothing is left to be saved, unless an ancestor has changed the pair as well: then what was
    /// done here is a change of the ancestor's. What takes the place of what a save may have written stays, too: that
    /// save may come after this one.
    func merge(_ changes: LinkChanges) {
        let linkage = model.linkages[changes.linkage]
        for pair in changes.removed {
            if let mine = links[linkage.index][pair], mine.kind != .added, !mine.isUncertain,
                above?.edit(of: pair, in: linkage.index) == nil
            {
                links[linkage.index][pair] = nil
            }
            showSaved(LinkChanges.Row(pair: pair), in: linkage, isThere: false)
        }
        for row in changes.added {
            if var mine = links[linkage.index][row.pair], mine.kind == .added,
                !mine.isUncertain,
                above?.edit(of: row.pair, in: linkage.index) == nil
            {
                let isPlaced = mine.position != nil || mine.inversePosition != nil
                mine.kind = .moved
                links[linkage.index][row.pair] = isPlaced ? mine : nil
            }
            noteSavedPlaces(row, in: linkage.index)
            showSaved(row, in: linkage, isThere: true)
        }
        for row in changes.moved {
            noteSavedPlaces(row, in: linkage.index)
            showSaved(row, in: linkage, isThere: true, isMove: true)
        }
    }

    /// Shows what the store has of a pair, unless this context or an ancestor has changed it.
    private func showSaved(
        _ row: LinkChanges.Row, in linkage: Linkage, isThere: Bool, isMove: Bool = false
    ) {
        if loadedMembers.isEmpty || edit(of: row.pair, in: linkage.index) != nil { return }
        // Places are those of members: who is one is said elsewhere.
        if isMove && !context.members.isShown(row.pair, in: linkage) { return }
        context.members.show(row, in: linkage, isThere: isThere)
    }

    /// Takes a child's edits over as edits of this context.
    func accept(_ changes: LinkChanges, from child: ManagedObjectContext?) {
        let linkage = model.linkages[changes.linkage]
        for pair in changes.removed {
            unlink(
                pair, in: linkage.index, isUncertain: changes.uncertain.contains(pair),
                from: placesBefore(pair, in: linkage, from: child))
            context.members.show(LinkChanges.Row(pair: pair), in: linkage, isThere: false)
        }
        for row in changes.added {
            link(
                row, in: linkage.index, isUncertain: changes.uncertain.contains(row.pair))
            context.members.show(row, in: linkage, isThere: true)
        }
        for row in changes.moved {
            move(row, in: linkage.index, from: placesBefore(row.pair, in: linkage, from: child))
            if context.members.isShown(row.pair, in: linkage) {
                context.members.show(row, in: linkage, isThere: true)
            }
        }
    }

    /// Gives up all edits of pairs. What was loaded of the relationships is loaded anew.
    func rollBackLinks() {
        for linkage in model.linkages where !links[linkage.index].isEmpty {
            for pair in links[linkage.index].edits.keys { forgetMembers(on: pair, linkage) }
            links[linkage.index].removeAll()
        }
        releaseRelated()
    }

    /// The same of those pairs that an object is one of.
    func rollBackLinks(of object: ManagedObject) {
        let entity = entityIndex(of: object)
        for linkage in model.linkages where !links[linkage.index].isEmpty {
            for end in [LinkEnd.first, .second]
            where model.areKin(linkage.end(end).entity, entity) {
                for pair in links[linkage.index].pairs(of: object.keyValue, end) {
                    forgetMembers(on: pair, linkage)
                    links[linkage.index][pair] = nil
                }
            }
        }
    }

    private func forgetMembers(on pair: LinkPair, _ linkage: Linkage) {
        for end in [LinkEnd.first, .second] {
            guard let side = model.side(linkage, end) else { continue }
            tables[side.hierarchy].object(pair.key(end)).map(context.members.forgetMembers)
        }
    }

    /// Relationships of which an ancestor has changed something are loaded anew.
    /// - Parameter revisions: how often the ancestors have changed pairs.
    func forgetLinksChangedAbove(_ revisions: LinkRevisions) {
        if above == nil { return }
        for linkage in model.linkages
        where seenRevisions[linkage.index] != revisions[linkage.index] {
            seenRevisions[linkage.index] = revisions[linkage.index]
            for end in [LinkEnd.first, .second] {
                guard let side = model.side(linkage, end) else { continue }
                context.members.forgetMembers(of: side.relation, hierarchy: side.hierarchy)
            }
        }
    }

    /// What this context has just handed to its ancestors is no news.
    func lookAtAncestorsLinks() {
        if above == nil { return }
        let revisions = linkRevisionsAbove
        for index in links.indices { seenRevisions[index] = revisions[index] }
    }

    /// Whether the ancestors have changed pairs since this context has looked at theirs.
    func hasUnseenEditsAbove(of linkage: Int) -> Bool {
        var (revision, next) = (0, above)
        if next == nil { return false }
        while let edits = next {
            revision += edits.links[linkage].revision
            next = edits.above
        }
        return seenRevisions[linkage] != revision
    }

    /// How often the ancestors have changed pairs.
    var linkRevisionsAbove: LinkRevisions {
        var (revisions, next) = (LinkRevisions(of: links.count), above)
        while let edits = next {
            revisions.add(edits.links)
            next = edits.above
        }
        return revisions
    }
}

/// How often some contexts have changed pairs, together, by linkage.
struct LinkRevisions {
    private var counts: ContiguousArray<Int>

    init(of linkages: Int) {
        counts = ContiguousArray(repeating: 0, count: linkages)
    }

    subscript(linkage: Int) -> Int { counts[linkage] }

    mutating func add(_ links: ContiguousArray<LinkEdits>) {
        for index in counts.indices { counts[index] += links[index].revision }
    }
}
