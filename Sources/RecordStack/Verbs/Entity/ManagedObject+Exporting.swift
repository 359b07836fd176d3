public import FoundationEssentials
public import RecordStackGraph
public import RecordStackImport
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Writes the objects for which a condition is true as JSON, in the way in which an import reads it.
    ///
    /// ```swift
    /// let data = try Person.exportJSON(in: context) { $0.isActive }
    /// ```
    ///
    /// Each value stands under the first key that is declared for it. The text is the same for the same objects: they
    /// come in the order of their identity, where none is given, members of no order in that of theirs, and keys in
    /// the order of their declaration. Imported into an empty store and exported again, it is the same text. What an import
    /// would not make of the text again is an error that names the property, never left out: see <doc:Importing>. Where
    /// properties share keys, or have transforms, each object's text is read again to find that out.
    ///
    /// - Parameters:
    ///   - sortKeys: what to sort by; without, the identity, or else the order of the IDs.
    ///   - context: whose objects; what is pending there counts.
    ///   - options: which properties; how far relationships are followed; how it is laid out.
    ///   - condition: which objects; all without one.
    /// - Throws: ``RecordStackError/Code/misuse`` for options that name what there is not, and for a value or a reference
    ///   that would not come back; what fetching throws.
    public static func exportJSON(
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        in context: ManagedObjectContext,
        options: ExportOptions = ExportOptions(),
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Data {
        var data = Data()
        try context.exportJSON(request(filter, sortKeys, condition), options: options) {
            data += $0
        }
        return data
    }

    /// Writes the objects for which a condition is true into a file, as ``exportJSON(sortedBy:in:options:where:)``
    /// does, piece by piece: the memory does not grow with their number.
    ///
    /// ```swift
    /// let count = try Person.exportJSON(to: url, in: context)
    /// ```
    ///
    /// The file is there when it is complete; one that was there before is replaced then.
    /// - Returns: how many objects were written.
    /// - Throws: what writing the file throws, as well.
    @discardableResult
    public static func exportJSON(
        to file: URL, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [], in context: ManagedObjectContext,
        options: ExportOptions = ExportOptions(),
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Int {
        let writer = try ExportFile(file)
        let count = try context.exportJSON(request(filter, sortKeys, condition), options: options) {
            try writer.write($0)
        }
        try writer.finish()
        return count
    }

    /// Writes the object as JSON, in the way in which an import reads it.
    ///
    /// ```swift
    /// let data = try person.exportJSON()
    /// ```
    /// - Throws: what ``exportJSON(sortedBy:in:options:where:)`` throws.
    public func exportJSON(options: ExportOptions = ExportOptions()) throws -> Data {
        var exporter = try Exporter(type(of: self).entityDescription, options)
        return Data(try exporter.writeAlone(self))
    }
}

extension ManagedObjectContext {
    /// Writes the objects of a request as JSON and hands it over in pieces, as
    /// `Entity.exportJSON(sortedBy:in:options:where:)` does in one.
    ///
    /// ```swift
    /// try context.exportJSON(Person.where { $0.isActive }) { piece in try socket.send(piece) }
    /// ```
    ///
    /// - Parameters:
    ///   - request: which objects.
    ///   - options: which properties; how far relationships are followed; how it is laid out.
    ///   - write: takes a piece of the text, of some ten thousand bytes.
    /// - Returns: how many objects were written.
    /// - Throws: what the body throws, and then the text is not complete; what
    ///   `Entity.exportJSON(sortedBy:in:options:where:)` throws.
    @discardableResult
    public func exportJSON<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>, options: ExportOptions = ExportOptions(),
        _ write: (Data) throws -> Void
    ) throws -> Int {
        let entity = Entity.entityDescription
        var exporter = try Exporter(entity, options)
        var request = request
        request.prefetches += exporter.prefetches
        let order = request.sortKeys.isEmpty ? entity.identityPaths : []
        request.sortKeys += order.map { SortKey(path: $0) }
        var count = 0
        func writeOne(_ object: Entity) throws {
            count += 1
            if let piece = try exporter.write(object) { try write(Data(piece)) }
        }
        exporter.begin()
        if order.contains(where: { !$0.steps.isEmpty }) {
            // No index has this order, in which each page would look at all objects anew.
            for object in try findLazily(request, batch: 500) where object.objectState != .detached
            {
                try writeOne(object)
            }
        } else if request.limit == nil && request.offset == 0 {
            try each(request, batch: 500, writeOne)
        } else {
            for object in try find(request) { try writeOne(object) }
        }
        let last = exporter.end()
        if !last.isEmpty { try write(Data(last)) }
        return count
    }
}
