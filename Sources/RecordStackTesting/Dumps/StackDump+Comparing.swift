extension StackDump {
    /// Returns the changes from an earlier dump to this dump.
    ///
    /// ```swift
    /// #expect(try test.dump().difference(from: before).isEmpty)
    /// ```
    public func difference(from old: StackDump) -> DumpDifference {
        // An object that was deleted and created again has another key, but the same text.
        if self == old { return DumpDifference(changes: []) }
        let isSameStore = store.uuid == old.store.uuid
        let comparison = DumpComparison(isSameStore: isSameStore)
        let names = Set(entities.map(\.name)).union(old.entities.map(\.name))
        let changes = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.flatMap { name in
            comparison.changes(
                from: old.entities.first { $0.name == name }?.objects ?? [],
                to: entities.first { $0.name == name }?.objects ?? [])
        }
        return DumpDifference(changes: changes)
    }
}

/// Expects two dumps to be the same.
///
/// ```swift
/// let before = try test.dump()
/// try await importer.run()                       // for the second time
/// expectNoDifference(before, try test.dump())
/// ```
///
/// If the dumps differ, the test fails with a list of the differences, and continues.
public func expectNoDifference(
    _ old: StackDump, _ new: StackDump, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
    let difference = new.difference(from: old)
    if difference.isEmpty { return }
    TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        .fail("Expected no difference, and there is one:\n\(difference)")
}

/// Compares the objects of an entity in two dumps.
private struct DumpComparison {
    let isSameStore: Bool

    /// The identification of an object in both dumps.
    private enum Identity: Hashable {
        case key(StackDump.Key)
        case name(String)
    }

    private func identity(_ reference: StackDump.Reference) -> Identity {
        isSameStore ? .key(reference.key) : .name(reference.name)
    }

    func changes(
        from old: [StackDump.Object], to new: [StackDump.Object]
    ) -> [DumpDifference.Change] {
        let known = Dictionary(uniqueKeysWithValues: old.map { (identity($0.reference), $0) })
        let present = Set(new.map { identity($0.reference) })
        let removed = old.filter { !present.contains(identity($0.reference)) }.map {
            DumpDifference.Change.removed(object: $0.reference.name)
        }
        return removed
            + new.compactMap { object in
                guard let before = known[identity(object.reference)] else {
                    return .added(object: object.reference.name, properties: object.propertyLines)
                }
                let properties = changes(from: before.properties, to: object.properties)
                return properties.isEmpty
                    ? nil : .changed(object: before.reference.name, properties: properties)
            }
    }

    private func changes(
        from old: [StackDump.Property], to new: [StackDump.Property]
    ) -> [DumpDifference.PropertyChange] {
        let before = Dictionary(uniqueKeysWithValues: old.map { ($0.name, $0.value) })
        let names = Set(new.map(\.name))
        // The dump of another model can have other properties.
        let gone = old.filter { !names.contains($0.name) }.compactMap {
            change(of: $0.name, from: $0.value, to: nil)
        }
        return gone + new.compactMap { change(of: $0.name, from: before[$0.name], to: $0.value) }
    }

    private func change(
        of name: String, from old: StackDump.Value?, to new: StackDump.Value?
    ) -> DumpDifference.PropertyChange? {
        if case .references(let was, _)? = old, case .references(let now, let isOrdered)? = new {
            let (before, after) = (Set(was.map(identity)), Set(now.map(identity)))
            let isReordered =
                isOrdered
                && was.filter { after.contains(identity($0)) }.map(identity)
                    != now.filter { before.contains(identity($0)) }.map(identity)
            if before == after && !isReordered { return nil }
            return DumpDifference.PropertyChange(
                name: name, old: was.filter { !after.contains(identity($0)) }.map(\.name),
                new: now.filter { !before.contains(identity($0)) }.map(\.name), isToMany: true,
                isReordered: isReordered)
        }
        if case .reference(let was)? = old, case .reference(let now)? = new,
            identity(was) == identity(now)
        {
            return nil
        }
        if old == new, !isReference(old) { return nil }
        return DumpDifference.PropertyChange(
            name: name, old: [text(old)], new: [text(new)], isToMany: false,
            isReordered: false)
    }

    private func isReference(_ value: StackDump.Value?) -> Bool {
        if case .reference? = value { true } else { false }
    }

    private func text(_ value: StackDump.Value?) -> String {
        switch value {
        case .text(let text): text.text
        case .reference(let reference): reference.name
        case .references(let references, _): "\(references.count) objects"
        case nil: "(no such property)"
        }
    }
}
