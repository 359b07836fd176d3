import RecordStackModel

/// What a context changes of relationships that are kept beside the rows of objects.
///
/// Pairs are a set: an edit says that one is there, or is not, whatever others do.
final class PairEdits: ContextPart {
    /// The edits, by linkage.
    var links: ContiguousArray<LinkEdits>
    /// The number of the last edit.
    private(set) var linkSerial = 0
    /// The objects at both ends of changed pairs, which are kept alive until the pairs are saved.
    var retainedOwners: [ObjectIdentifier: ManagedObject] = [:]
    /// How often the ancestors' edits had changed when this context last looked, by linkage.
    var seenRevisions: ContiguousArray<Int>

    init(linkages: Int) {
        // To make one and drop it again takes 0.15 ms of a program's start: the runtime looks through all conformances for
        // that of its dictionaries' keys.
        links = linkages == 0 ? [] : ContiguousArray(repeating: LinkEdits(), count: linkages)
        seenRevisions = ContiguousArray(repeating: 0, count: linkages)
    }

    /// The edits of the parent in this isolation.
    var above: PairEdits? { context.parentContext?.pairs }

    /// True if nothing was changed.
    var isEmpty: Bool { links.allSatisfy(\.isEmpty) }

    /// What this context and its ancestors have changed of a pair, this context's last.
    func edit(of pair: LinkPair, in linkage: Int) -> LinkEdit? {
        links[linkage][pair] ?? above?.edit(of: pair, in: linkage)
    }

    /// True if this context or an ancestor has changed something of a linkage.
    func hasEdits(of linkage: Int) -> Bool {
        !links[linkage].isEmpty || above?.hasEdits(of: linkage) ?? false
    }

    /// The nearest edit of a pair that an ancestor has made.
    func base(of pair: LinkPair, in linkage: Int) -> LinkEdit.Base? {
        var (level, next) = (1, above)
        while let edits = next {
            if let edit = edits.links[linkage][pair] {
                return LinkEdit.Base(level: level, serial: edit.serial)
            }
            (level, next) = (level + 1, edits.above)
        }
        return nil
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
        !context.mayBeSaved
            && context.published?.withdraw(pair, in: linkage, during: context.tree.turn) != false
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
        for linkage in model.linkages where !links[linkage.index].isEmpty {
            for end in [LinkEnd.first, .second]
            where model.areKin(linkage.end(end).entity, entity) {
                for pair in links[linkage.index].pairs(of: key, end) {
                    links[linkage.index][pair] = nil
                }
            }
        }
    }
}
