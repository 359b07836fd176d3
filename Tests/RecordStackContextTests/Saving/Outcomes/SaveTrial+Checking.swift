import RecordStack
import RecordStackModel
import Testing

extension SaveTrial {
    /// The changes of both levels.
    struct Changes: Equatable {
        let parent: [String]
        let child: [String]
    }

    var changes: Changes { Changes(parent: parent.changeLines, child: child?.changeLines ?? []) }

    /// Runs an operation if the way has a completion: only then does the caller need one to see the
    /// save.
    func takeIn() throws {
        if cell.way.hasCompletion { _ = try Parcel.count(in: parent) }
    }

    // MARK: The file

    /// Checks that the file has the rows that a row of the page promises.
    func checkFile(_ row: SaveOutcomesPage.Row) throws {
        switch row["file"] {
        case SaveOutcomesPage.asItWas: break
        case "all":
            if cell.isParentDirty { Edits(level: .parent).apply(to: &stored) }
            if cell.isChildDirty { Edits(level: .child).apply(to: &stored) }
        case "the child's": Edits(level: .child).apply(to: &stored)
        default: Issue.record("The page says of the file: \(row.line)")
        }
        #expect(try outside.parcels() == stored.lines, "the file")
    }

    // MARK: The levels

    /// Checks that both levels have the changes that a row of the page promises.
    func checkLevels(_ row: SaveOutcomesPage.Row, before: Changes) throws {
        try takeIn()
        let now = changes
        check(row["parent then"], parent, now.parent, before.parent)
        if let child {
            check(row["child then"], child, now.child, before.child)
        } else {
            #expect(row["child then"] == "gone")
        }
        if row["outcome"] == "saved" { checkHeld(views(row)) }
        // Finds read the store, so they show its rows even if a level does not know yet that they
        // are saved.
        let seen = views(row)
        #expect(try Parcel.lines(in: parent) == seen.parent.lines, "what the parent shows")
        if let child {
            #expect(try Parcel.lines(in: child) == seen.child.lines, "what the child shows")
        }
        #expect(changes == now, "looking changes nothing")
    }

    private func check(
        _ word: String, _ context: ManagedObjectContext, _ now: [String], _ before: [String]
    ) {
        #expect(context.hasChanges != now.isEmpty)
        switch word {
        case SaveOutcomesPage.asItWas: #expect(now == before, "what \(context.name) has changed")
        case "clean": #expect(now == [], "what \(context.name) has changed")
        default: Issue.record("The page says of a level: \(word)")
        }
    }

    /// Returns the rows that finds show in both levels.
    private func views(_ row: SaveOutcomesPage.Row) -> (parent: ParcelRows, child: ParcelRows) {
        var (seen, parentSeen) = (stored, stored)
        for level in [Level.parent, .child] {
            if row["\(level) then"] == SaveOutcomesPage.asItWas, let edits = cell.edits(of: level) {
                // A changed object does not know yet that its row was written.
                if cell.happening == .written, level == .parent {
                    for name in edits.touched { seen[name] = ParcelRows.seed[name] }
                }
                edits.apply(to: &seen)
            }
            if level == .parent { parentSeen = seen }
        }
        return (parentSeen, seen)
    }

    /// Checks that objects read before the save show its values before any find.
    private func checkHeld(_ seen: (parent: ParcelRows, child: ParcelRows)) {
        for (level, parcel) in held {
            let rows = level == .parent ? seen.parent : seen.child
            if let row = rows[parcel.name] {
                #expect(parcel.line == [parcel.name: row].lines[0], "held by the \(level)")
            } else {
                #expect([.detached, .deleted].contains(parcel.objectState), "\(parcel.name)")
            }
        }
    }

    // MARK: Afterwards

    /// Checks that the second save left no changes, except those of a parent that a block does not
    /// save.
    func checkAfterSavingAgain(isUponStore: Bool) async throws {
        try takeIn()
        let isParentLeft = isUponStore && cell.isParentDirty
        #expect(parent.hasChanges == isParentLeft, "the parent, once mended")
        #expect(child?.hasChanges != true, "the child, once mended")
        stored = .seed
        if cell.isParentDirty && !isUponStore { Edits(level: .parent).apply(to: &stored) }
        if cell.isChildDirty { Edits(level: .child).apply(to: &stored) }
        #expect(try outside.parcels() == stored.lines, "the file, once mended")
        if cell.isParentDirty && isUponStore { Edits(level: .parent).apply(to: &stored) }
        #expect(try Parcel.lines(in: parent) == stored.lines, "the parent, once mended")
        if let child {
            #expect(try Parcel.lines(in: child) == stored.lines, "the child, once mended")
        }
        let last = try await parent.save()
        #expect((last == .noChanges) != isParentLeft)
        #expect(try outside.parcels() == stored.lines, "the file at the end")
        #expect(try Parcel.lines(in: stack.newContext()) == stored.lines)
    }

    /// Closes the stack. No completion is called afterwards.
    /// - Returns: the number of completion calls for each call.
    func end() throws -> [Int] {
        try stack.close()
        return completions.map(\.value)
    }
}

extension ManagedObjectContext {
    /// One line for each object that is created, changed or deleted here, with its changes.
    var changeLines: [String] {
        let lists = [
            ("new", insertedObjects), ("changed", updatedObjects), ("deleted", deletedObjects),
        ]
        return lists.flatMap { kind, objects in
            objects.map { object in
                let values = object.changedValues().map { "\($0): \($1)" }.sorted()
                return "\(kind) \(object.objectID) \(object.objectState) \(values)"
            }.sorted()
        }
    }
}

extension Parcel {
    /// The parcel's line, as in ``ParcelRows/lines``.
    var line: String {
        "\(name) \(code) \(weight) “\(note)” \(container?.name ?? "NULL")"
    }

    /// Returns the lines of all parcels that a context finds.
    static func lines(in context: ManagedObjectContext) throws -> [String] {
        try find(in: context).map(\.line).sorted()
    }
}
