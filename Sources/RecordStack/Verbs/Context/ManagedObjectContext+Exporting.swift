public import FoundationEssentials
public import RecordStackGraph
public import RecordStackImport
public import RecordStackModel

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
