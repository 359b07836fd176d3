package import FoundationEssentials
package import RecordStackGraph
import RecordStackModel

/// Reads JSON into objects of one entity: batch by batch, each with one query for the rows that
/// are there already.
package final class JSONImporter<Entity: ManagedObject> {
    private let context: ManagedObjectContext
    /// Holds on to the mappings.
    private let mappings: ImportMappings
    private let options: ImportOptions
    private let mapping: ImportMapping
    private let resolver: BatchResolver
    private let progress: ((ImportProgress) -> Void)?
    private var report = ImportReport()
    private var batch: [StagedRow] = []
    private var totalBytes = 0

    /// - Throws: ``RecordStackError/Code/misuse`` where the entity's mapping cannot be read, and for an
    ///   abstract entity.
    package init(
        into type: Entity.Type, context: ManagedObjectContext, options: ImportOptions,
        progress: ((ImportProgress) -> Void)?
    ) throws {
        // A child that is dropped changes nothing.
        let context = options.isDryRun ? context.newChild(name: "dry run") : context
        self.context = context
        self.options = options
        self.progress = progress
        // Found out with the first new object, it would be in the middle.
        try context.requireConcrete(Entity.self)
        mappings = ImportMappings(options)
        mapping = try mappings.mapping(of: Entity.entityDescription)
        if let problem = mapping.identityProblem { throw problem }
        resolver = BatchResolver(context: context, mapping: mapping)
    }

    /// Imports the rows at a key path: the objects of an array, or a single object.
    ///
    /// The whole text is checked before the first object is made, so that text which is no JSON
    /// changes nothing.
    /// - Throws: ``RecordStackError/Code/importFailed`` where the text is no JSON or has nothing at
    ///   the key path; what finding and creating throw.
    package func run(_ data: Data, at keyPath: String?) throws -> ImportReport {
        totalBytes = data.count
        return try data.withUnsafeBytes { bytes in
            do {
                try check(bytes)
                try readRows(bytes, at: keyPath)
            } catch let error as JSONError {
                throw RecordStackError(
                    .importFailed, "The text is not JSON: \(error).", cause: error,
                    entity: mapping.entity.name)
            }
            report.problems.sort { $0.row < $1.row }
            return report
        }
    }

    private func check(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        var scanner = JSONScanner(bytes)
        _ = try scanner.skipValue()
        _ = try scanner.next()
    }

    private func readRows(_ bytes: UnsafeRawBufferPointer, at keyPath: String?) throws {
        let rows = try JSONPlace(keyPath, entity: mapping.entity).find(in: bytes)
        // Behind the rows there may be more of the text, which is read by then.
        let offset = bytes.count - rows.count
        var scanner = JSONScanner(rows)
        let reader = RowReader(mapping: mapping)
        let token = try scanner.next()
        guard token == .beginArray else {
            batch.append(try reader.read(token, &scanner, number: 0))
            return try finishBatch(bytes: totalBytes)
        }
        var number = 0
        while true {
            let element = try scanner.next()
            if element == .endArray { break }
            batch.append(try reader.read(element, &scanner, number: number))
            number += 1
            if batch.count >= options.batchSize { try finishBatch(bytes: offset + scanner.offset) }
        }
        try finishBatch(bytes: totalBytes)
    }

    private func finishBatch(bytes: Int) throws {
        try resolver.resolve(batch, &report)
        batch.removeAll(keepingCapacity: true)
        try checkProblems()
        progress?(ImportProgress(rows: report.rows, bytes: bytes, totalBytes: totalBytes))
    }

    private func checkProblems() throws {
        guard let most = options.mostProblems, report.problems.count > most else { return }
        let first = report.problems.prefix(3).map(\.description).joined(separator: " ")
        throw RecordStackError(
            .importFailed,
            "The import has more than \(most) problems, as many as options.mostProblems lets it have. The first: "
                + "\(first)", entity: mapping.entity.name)
    }
}
