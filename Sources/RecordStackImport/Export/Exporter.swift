package import RecordStackGraph
package import RecordStackModel

/// Writes objects of an entity as JSON, piece by piece.
package struct Exporter {
    private let options: ExportOptions
    private let location: ExportLocation
    private var objects: ObjectWriter
    /// What has to be loaded with the objects.
    package let prefetches: [Prefetch]
    /// Deeper than that no import reads, which reads 512 objects and arrays in each other.
    private static let mostDepth = 100
    /// So many bytes are a piece.
    private static let pieceSize = 1 << 16

    /// - Throws: ``RecordStackError/Code/misuse`` for options that name what there is not, and for an entity whose
    ///   mapping cannot be read.
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

    /// Writes one object, which is the whole text.
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
    /// - Returns: a piece of the text, where there is enough for one.
    package mutating func write(_ object: ManagedObject) throws -> [UInt8]? {
        try writeWhole(object)
        if options.format == .ndjson { objects.writer.endText() }
        return objects.writer.bytes.count < Self.pieceSize ? nil : objects.writer.takeBytes()
    }

    /// - Throws: misuse for what no import would read.
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
    /// - Returns: its last piece.
    package mutating func end() -> [UInt8] {
        if options.format == .json {
            objects.writer.endArray()
            objects.writer.endText()
        }
        return objects.writer.takeBytes()
    }
}
