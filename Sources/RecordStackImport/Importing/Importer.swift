import FoundationEssentials
package import RecordStackGraph
import RecordStackModel

/// Imports rows into objects of one entity: batch by batch, each with one query for each entity that it leads to.
package final class Importer {
    let context: ManagedObjectContext
    let options: ImportOptions
    let mapping: ImportMapping
    private let resolver: BatchResolver
    /// Holds on to the mappings.
    private let mappings: ImportMappings
    private var batch: [StagedRow] = []
    private let progress: ((ImportProgress) -> Void)?
    /// The number of the next row.
    var number: Int
    /// How many problems other parts of the import had.
    var problemsBefore = 0

    /// - Parameter firstRow: the number of the first row.
    /// - Throws: ``RecordStackError/Code/misuse`` where the entity's mapping cannot be read, and for an
    ///   abstract entity without a discriminator.
    package init(
        into type: ManagedObject.Type, context: ManagedObjectContext, options: ImportOptions,
        hooks: ImportHooks = ImportHooks(), firstRow: Int = 0,
        progress: ((ImportProgress) -> Void)? = nil
    ) throws {
        // A child that is dropped changes nothing.
        let context = options.isDryRun ? context.newChild(name: "dry run") : context
        self.context = context
        self.options = options
        self.progress = progress
        number = firstRow
        try options.check()
        try hooks.check()
        mappings = ImportMappings(options, hooks)
        mapping = try mappings.mapping(of: type.entityDescription)
        try mappings.finish()
        // Found out with the first new object, it would be in the middle.
        if mapping.kinds == nil { try context.requireConcrete(type) }
        if let problem = mapping.identityProblem { throw problem }
        resolver = BatchResolver(context: context, mapping: mapping)
    }

    /// What was imported so far.
    var report: ImportReport { resolver.report }

    /// Adds a row, whose number is the next one.
    func add(_ row: StagedRow) {
        batch.append(row)
        number += 1
    }

    /// Whether there are as many rows as are looked up together.
    var isBatchFull: Bool { batch.count >= options.batchSize }

    /// Imports the rows that were added.
    func finishBatch() throws {
        try context.checkCancellation()
        try resolver.resolve(batch)
        forgetBatch()
        try checkProblems()
    }

    /// Makes room for as many objects as there will be rows, as far as that can be told by now.
    /// - Parameter part: the part of the source that was read.
    func reserve(afterReading part: Double) {
        let made = report.inserted
        // A batch that found most of its objects will be followed by others that do.
        guard part > 0, made * 2 > report.rows else { return }
        let expected = Double(made) / part
        if expected < Double(Self.mostReserved) {
            mapping.objects?.reserve(Int(expected * 1.1))
        }
    }

    private static var mostReserved: Int { 1_000_000 }

    /// Gives one object the values of a row.
    func apply(_ row: StagedRow, to object: ManagedObject) throws {
        try resolver.resolve(row, for: object)
        forgetBatch()
        try checkProblems()
    }

    private func forgetBatch() {
        batch.removeAll(keepingCapacity: true)
        for mapping in mappings.all { mapping.rows.removeAll() }
    }

    func tell(bytes: Int, of totalBytes: Int?, rows totalRows: Int? = nil) {
        progress?(
            ImportProgress(
                rows: report.rows, bytes: bytes, totalBytes: totalBytes, totalRows: totalRows))
    }

    /// The report, with the problems in the order of the rows.
    func finish() -> ImportReport {
        resolver.report.problems.sort { $0.row < $1.row }
        return report
    }

    func forgetReport() { resolver.report = ImportReport() }

    private func checkProblems() throws {
        guard let most = options.mostProblems, problemsBefore + report.problems.count > most else {
            return
        }
        let first = report.problems.prefix(3).map(\.description).joined(separator: " ")
        throw RecordStackError(
            .importFailed,
            "The import has more than \(most) problems, as many as options.mostProblems lets it have. "
                + (problemsBefore == 0 ? "The first" : "Among them") + ": \(first)",
            entity: mapping.entity.name)
    }

    func failure(_ error: JSONError) -> RecordStackError {
        RecordStackError(
            .importFailed, "The text is not JSON: \(error).", cause: error,
            entity: mapping.entity.name)
    }

    /// Notes that a row is no JSON, and leaves it out.
    func refuse(_ message: String) {
        let row = mapping.rows.append(number: number)
        row.edit { $0.refusal = message }
        add(row)
    }
}

extension ImportOptions {
    /// - Throws: misuse for what means nothing.
    func check() throws {
        if batchSize >= 1 && mostProblems ?? 0 >= 0 { return }
        throw RecordStackError(
            .misuse,
            batchSize < 1
                ? "batchSize is \(batchSize). A batch has 1 row at least."
                : "mostProblems is \(mostProblems ?? 0). It is 0 or more, or nil for no limit.")
    }
}
