package import RecordStackGraph
package import RecordStackModel

/// Writes objects of an entity as JSON, piece by piece.
package struct Exporter {
    private let options: ExportOptions
    private let location: ExportLocation
    private var objects: ObjectWriter
    /// The relationships to load with the objects.
    package let prefetches: [Prefetch]
    /// The largest depth. An import reads at most 512 nested objects and arrays.
    private static let mostDepth = 100
    /// The number of bytes from which `write(_:)` returns the text as a piece.
    private static let pieceSize = 1 << 16

    /// Creates an exporter.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for options with unknown names, and for an entity
    ///   whose mapping is not valid.
    package init(_ entity: EntityDescription, _ options: ExportOptions) throws {
        guard options.depth >= 0 else {
            throw RecordStackError(
                .misuse, "depth is \(options.depth). It is 0 for keys alone, or more.")
        }
        try options.profile?.check(from: entity)
        self.options = options
        location = ExportLocation(
            options, try ExportSelection(options, entity: entity),
            depth: min(options.depth, Self.mostDepth), root: entity)
        objects = ObjectWriter(options)
        prefetches = try location.prefetches(of: entity)
    }

    /// Writes one object as the whole text.
    package mutating func writeAlone(_ object: ManagedObject) throws -> [UInt8] {
        try writeWhole(object)
        objects.writer.endText()
        return objects.writer.takeBytes()
    }

    /// Begins a text of several objects.
    package mutating func begin() {
        if options.format == .json { objects.writer.beginArray() }
    }

    /// Writes one of several objects.
    ///
    /// - Returns: a piece of the text, if enough text is ready for one.
    package mutating func write(_ object: ManagedObject) throws -> [UInt8]? {
        try writeWhole(object)
        if options.format == .ndjson { objects.writer.endText() }
        return objects.writer.bytes.count < Self.pieceSize ? nil : objects.writer.takeBytes()
    }

    /// Writes one object in full.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a text that is nested too deeply
    ///   for an import.
    private mutating func writeWhole(_ object: ManagedObject) throws {
        try objects.write(object, at: location)
        let most = JSONLimits().depth
        if objects.writer.deepest <= most { return }
        throw RecordStackError(
            .misuse,
            "The export has \(objects.writer.deepest) arrays and objects in one another. An import reads \(most): lower "
                + "options.depth.")
    }

    /// Ends a text of several objects.
    ///
    /// - Returns: the last piece of the text.
    package mutating func end() -> [UInt8] {
        if options.format == .json {
            objects.writer.endArray()
            objects.writer.endText()
        }
        return objects.writer.takeBytes()
    }
}
