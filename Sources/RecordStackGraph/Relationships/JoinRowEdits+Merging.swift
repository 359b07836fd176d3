import RecordStackModel

// Updates of the edits after a save, a push or an undo, in this context or another one.
extension JoinRowEdits {
    /// Acknowledges a save, and drops the edits that it wrote.
    ///
    /// Edits made since the capture stay.
    ///
    /// - Parameter isShared: True if child contexts may have changed the same join rows. The
    ///   members of those join rows are then loaded again.
    func acknowledge(upTo serial: Int?, isShared: Bool) {
        guard let serial else { return }
        for joinTable in model.joinTables where !links[joinTable.index].isEmpty {
            for (joinRow, edit) in links[joinTable.index].edits where edit.serial <= serial {
                links[joinTable.index][joinRow] = nil
                if isShared { forgetMembers(on: joinRow, joinTable) }
            }
        }
        releaseRelated()
    }

    /// Merges committed changes.
    ///
    /// This context's edits stay. An edit that does the same as the commit is dropped, with two
    /// exceptions. If an ancestor has changed the join row as well, the edit changes the ancestor's
    /// edit. If the edit replaces one that a save may have written, that save may come after this
    /// commit.
    func merge(_ changes: LinkChanges) {
        let joinTable = model.joinTables[changes.joinTable]
        for joinRow in changes.removed {
            if let mine = links[joinTable.index][joinRow], mine.kind != .added, !mine.isUncertain,
                above?.edit(of: joinRow, in: joinTable.index) == nil
            {
                links[joinTable.index][joinRow] = nil
            }
            showSaved(LinkChanges.Row(joinRow: joinRow), in: joinTable, isThere: false)
        }
        for row in changes.added {
            if var mine = links[joinTable.index][row.joinRow], mine.kind == .added,
                !mine.isUncertain,
                above?.edit(of: row.joinRow, in: joinTable.index) == nil
            {
                let hasPosition = mine.position != nil || mine.inversePosition != nil
                mine.kind = .moved
                links[joinTable.index][row.joinRow] = hasPosition ? mine : nil
            }
            noteSavedPositions(row, in: joinTable.index)
            showSaved(row, in: joinTable, isThere: true)
        }
        for row in changes.moved {
            noteSavedPositions(row, in: joinTable.index)
            showSaved(row, in: joinTable, isThere: true, isMove: true)
        }
    }

    /// Shows a join row as stored, unless this context or an ancestor has changed it.
    private func showSaved(
        _ row: LinkChanges.Row, in joinTable: JoinTable, isThere: Bool, isMove: Bool = false
    ) {
        if loadedMembers.isEmpty || edit(of: row.joinRow, in: joinTable.index) != nil { return }
        // A position belongs to a member. Only changes other than moves determine the members.
        if isMove && !context.members.isShown(row.joinRow, in: joinTable) { return }
        context.members.show(row, in: joinTable, isThere: isThere)
    }

    /// Takes over a child's edits as edits of this context.
    func accept(_ changes: LinkChanges, from child: ManagedObjectContext?) {
        let joinTable = model.joinTables[changes.joinTable]
        for joinRow in changes.removed {
            unlink(
                joinRow, in: joinTable.index, isUncertain: changes.uncertain.contains(joinRow),
                from: positionsBefore(joinRow, in: joinTable, from: child))
            context.members.show(LinkChanges.Row(joinRow: joinRow), in: joinTable, isThere: false)
        }
        for row in changes.added {
            link(
                row, in: joinTable.index, isUncertain: changes.uncertain.contains(row.joinRow))
            context.members.show(row, in: joinTable, isThere: true)
        }
        for row in changes.moved {
            move(
                row, in: joinTable.index,
                from: positionsBefore(row.joinRow, in: joinTable, from: child))
            if context.members.isShown(row.joinRow, in: joinTable) {
                context.members.show(row, in: joinTable, isThere: true)
            }
        }
    }

    /// Drops all join row edits.
    ///
    /// The members of the edited relationships are loaded again.
    func rollBackLinks() {
        for joinTable in model.joinTables where !links[joinTable.index].isEmpty {
            for joinRow in links[joinTable.index].edits.keys {
                forgetMembers(on: joinRow, joinTable)
            }
            links[joinTable.index].removeAll()
        }
        releaseRelated()
    }

    /// Drops the edits of an object's join rows.
    ///
    /// The members of the edited relationships are loaded again.
    func rollBackLinks(of object: ManagedObject) {
        let entity = entityIndex(of: object)
        for joinTable in model.joinTables where !links[joinTable.index].isEmpty {
            for end in [LinkEnd.first, .second]
            where model.areKin(joinTable.end(end).entity, entity) {
                for joinRow in links[joinTable.index].joinRows(of: object.keyValue, end) {
                    forgetMembers(on: joinRow, joinTable)
                    links[joinTable.index][joinRow] = nil
                }
            }
        }
    }

    private func forgetMembers(on joinRow: JoinRow, _ joinTable: JoinTable) {
        for end in [LinkEnd.first, .second] {
            guard let side = model.side(joinTable, end) else { continue }
            tables[side.hierarchy].object(joinRow.key(end)).map(context.members.forgetMembers)
        }
    }

    /// Forgets the members of relationships whose join rows an ancestor has changed.
    ///
    /// - Parameter revisions: The numbers of edits that the ancestors have made to join rows.
    func forgetLinksChangedAbove(_ revisions: LinkRevisions) {
        if above == nil { return }
        for joinTable in model.joinTables
        where seenRevisions[joinTable.index] != revisions[joinTable.index] {
            seenRevisions[joinTable.index] = revisions[joinTable.index]
            for end in [LinkEnd.first, .second] {
                guard let side = model.side(joinTable, end) else { continue }
                context.members.forgetMembers(of: side.relation, hierarchy: side.hierarchy)
            }
        }
    }

    /// Records that this context has seen the edits that it has just pushed to its ancestors.
    func lookAtAncestorsLinks() {
        if above == nil { return }
        let revisions = linkRevisionsAbove
        for index in links.indices { seenRevisions[index] = revisions[index] }
    }

    /// Whether the ancestors have changed join rows since this context last looked.
    func hasUnseenEditsAbove(of joinTable: Int) -> Bool {
        var (revision, next) = (0, above)
        if next == nil { return false }
        while let edits = next {
            revision += edits.links[joinTable].revision
            next = edits.above
        }
        return seenRevisions[joinTable] != revision
    }

    /// The numbers of edits that the ancestors have made to join rows.
    var linkRevisionsAbove: LinkRevisions {
        var (revisions, next) = (LinkRevisions(of: links.count), above)
        while let edits = next {
            revisions.add(edits.links)
            next = edits.above
        }
        return revisions
    }
}

/// The numbers of edits that several contexts have made to join rows, by join table.
struct LinkRevisions {
    private var counts: ContiguousArray<Int>

    init(of joinTables: Int) {
        counts = ContiguousArray(repeating: 0, count: joinTables)
    }

    subscript(joinTable: Int) -> Int { counts[joinTable] }

    mutating func add(_ links: ContiguousArray<LinkEdits>) {
        for index in counts.indices { counts[index] += links[index].revision }
    }
}
