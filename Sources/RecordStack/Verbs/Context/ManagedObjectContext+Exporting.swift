public import FoundationEssentials
public import RecordStackGraph
public import RecordStackImport
public import RecordStackModel

extension ManagedObjectContext {
    /// Exports the objects of a request as JSON, and passes the text to a closure in pieces.
    ///
    /// ```swift
    /// try context.exportJSON(Person.where { $0.isActive }) { piece in try socket.send(piece) }
    /// ```
    ///
    /// Apart from the pieces, the export works like
    /// `Entity.exportJSON(matching:sortedBy:in:options:where:)`.
    ///
    /// - Parameters:
    ///   - request: The request for the objects.
    ///   - options: The options, such as the properties to write and the layout of the text.
    ///   - write: Receives each piece of the text, usually of about 64 KiB.
    /// - Returns: The number of objects written.
    /// - Throws: Any error of the closure, which leaves the text incomplete, and any error of
    ///   `Entity.exportJSON(matching:sortedBy:in:options:where:)`.
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
            // No index has this order, so each page by token would read all objects again.
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
