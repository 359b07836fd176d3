package import FoundationEssentials
package import RecordStackGraph
import RecordStackModel

/// Reads JSON into objects of one entity: batch by batch, each with one query for the rows that
/// are there already.
package final class JSONImporter<Entity: ManagedObject> {
    private let context: ManagedObjectContext
    private let mapping: ImportMapping
    private var resolver: BatchResolver<Entity>
    private let progress: ((ImportProgress) -> Void)?
    private var report = ImportReport()
    private var batch: [StagedRow] = []
    private var totalBytes = 0

    /// Rows that are looked up together.
    private let batchSize = 1_000

    /// - Throws: ``RecordStackError/Code/misuse`` where the entity's mapping cannot be read, and for an
    ///   abstract entity.
    package init(
        into type: Entity.Type, context: ManagedObjectContext,
        progress: ((ImportProgress) -> Void)?
    ) throws {
        self.context = context
        self.progress = progress
        // Found out with the first new object, it would be in the middle.
        try context.requireConcrete(Entity.self)
        mapping = try ImportMapping(entity: Entity.entityDescription)
        resolver = try BatchResolver(context: context, mapping: mapping)
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
            if batch.count == batchSize { try finishBatch(bytes: offset + scanner.offset) }
        }
        try finishBatch(bytes: totalBytes)
    }

    private func finishBatch(bytes: Int) throws {
        try resolver.resolve(batch, &report)
        batch.removeAll(keepingCapacity: true)
        progress?(ImportProgress(rows: report.rows, bytes: bytes, totalBytes: totalBytes))
    }
}
