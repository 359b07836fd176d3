import FoundationEssentials
package import RecordStackGraph
import RecordStackModel

/// Imports rows into objects of one entity, in batches.
///
/// Each batch runs one query for each entity to which it refers.
package final class Importer {
    let context: ManagedObjectContext
    /// The context of the objects: the given context or, in a dry run, a child of it.
    package var target: ManagedObjectContext { context }
    let options: ImportOptions
    let mapping: ImportMapping
    private let resolver: BatchResolver
    /// The mappings, which the importer keeps alive.
    let mappings: ImportMappings
    private let hooks: ImportHooks
    private var batch: [StagedRow] = []
    private let progress: ((ImportProgress) -> Void)?
    /// The number of the next row.
    var number: Int
    /// The number of problems in other parts of the import.
    package var problemsBefore = 0

    /// Creates an importer.
    ///
    /// - Parameter firstRow: the number of the first row.
    /// - Throws: ``RecordStackError/Code/misuse`` if the entity's mapping is not valid, and for an
    ///   abstract entity without a discriminator.
    package init(
        into type: ManagedObject.Type, context: ManagedObjectContext, options: ImportOptions,
        hooks: ImportHooks = ImportHooks(), firstRow: Int = 0,
        progress: ((ImportProgress) -> Void)? = nil
    ) throws {
        try context.requireOpen()
        // A child that is never pushed or saved changes nothing.
        let context = options.isDryRun ? context.newChild(name: "dry run") : context
        self.context = context
        self.options = options
        self.progress = progress
        number = firstRow
        self.hooks = hooks
        try options.check()
        try hooks.check()
        mappings = ImportMappings(options, hooks)
        mapping = try mappings.mapping(of: type.entityDescription)
        try mappings.finish()
        // Otherwise the error would come with the first new object, in the middle of the import.
        if mapping.kinds == nil { try context.requireConcrete(type) }
        if let problem = mapping.identityProblem { throw problem }
        resolver = BatchResolver(
            context: context, mapping: mapping, clearsAbsent: mappings.clearsAbsent,
            callsHooks: hooks.hasTransforms || mappings.all.contains(where: \.hooks.seeRows))
    }

    /// The report so far.
    var report: ImportReport { resolver.report }

    /// The objects that have rows; nil if they are not recorded.
    package var seen: SeenObjects? {
        get { resolver.seen }
        set { resolver.seen = newValue }
    }

    /// Adds a row, whose number must be the next one.
    func add(_ row: StagedRow) {
        batch.append(row)
        number += 1
    }

    /// Adds rows, the first of which must have the next number.
    func add(_ rows: [StagedRow]) {
        batch += rows
        number += rows.count
    }

    /// Whether enough rows were added for a batch.
    var isBatchFull: Bool { batch.count >= options.batchSize }

    /// Imports the rows that were added.
    func finishBatch() throws { try finishBatch(of: mappings) }

    /// Imports the rows that were added, which these mappings have read.
    func finishBatch(of mappings: ImportMappings) throws {
        try context.checkCancellation()
        try resolver.resolve(batch)
        forgetBatch(of: mappings)
        try checkProblems()
    }

    /// Returns separate mappings, to read rows with while other rows are imported.
    ///
    /// Nil if the text is too short to gain from it, or if hooks or transforms see rows while they
    /// are read. These must run in the context's isolation.
    func mappingsToReadAhead(_ bytes: Int) throws -> ImportMappings? {
        if bytes < Self.fewBytes || hooks.hasTransforms { return nil }
        if mappings.all.contains(where: \.hooks.seeRows) { return nil }
        let others = ImportMappings(options, hooks)
        _ = try others.mapping(of: mapping.entity)
        try others.finish()
        return others
    }

    private static var fewBytes: Int { 1 << 16 }

    /// Reserves memory for the expected number of objects, if the first batch allows an estimate.
    ///
    /// - Parameter part: the fraction of the source that was read.
    func reserve(afterReading part: Double) {
        let made = report.inserted
        // If a batch finds most of its objects, later batches probably do, too.
        guard part > 0, made * 2 > report.rows else { return }
        let expected = Double(made) / part
        if expected < Double(Self.mostReserved) {
            mapping.objects?.reserve(Int(expected * 1.1))
        }
    }

    private static var mostReserved: Int { 1_000_000 }

    /// Sets the values of a row in one object.
    func apply(_ row: StagedRow, to object: ManagedObject) throws {
        try resolver.resolve(row, for: object)
        forgetBatch(of: mappings)
        try checkProblems()
    }

    private func forgetBatch(of mappings: ImportMappings) {
        batch.removeAll(keepingCapacity: true)
        for mapping in mappings.all { mapping.rows.removeAll() }
    }

    func tell(bytes: Int, of totalBytes: Int?, rows totalRows: Int? = nil) {
        progress?(
            ImportProgress(
                rows: report.rows, bytes: bytes, totalBytes: totalBytes, totalRows: totalRows))
    }

    /// Ends the import.
    ///
    /// - Returns: the report.
    package func finish() throws -> ImportReport {
        try link(resolver.takeWaiting())
        try resolver.deleteAbandoned()
        return sortedReport
    }

    /// Ends a part of an import.
    ///
    /// - Returns: the report, and the references to keys that no object has yet.
    func finishPart() throws -> (report: ImportReport, waiting: ForwardReferences) {
        let waiting = try resolver.link(resolver.takeWaiting(), mappings.relation)
        return (try finish(), waiting)
    }

    /// Continues from the state in which earlier parts have ended.
    func `continue`(from state: ImportState) {
        resolver.earlierLocations = state.waitingLocations
        resolver.unfinished = state.unfinished
    }

    /// The locations of earlier parts' references that later rows have replaced.
    var supersededLocations: Set<ForwardReference.Location> { resolver.supersededLocations }

    /// Objects that were created from a key alone.
    var unfinished: Set<ManagedObjectID> { resolver.unfinished }

    /// Links the waiting references of earlier parts, and reports those without an object.
    func link(_ waiting: ForwardReferences) throws {
        let missing = try resolver.link(waiting, mappings.relation, isLast: true)
        resolver.reportMissing(missing, mappings.relation)
        try checkProblems()
    }

    /// The report, with the problems in the order of the rows.
    package var sortedReport: ImportReport {
        resolver.report.problems.sort { $0.row < $1.row }
        return report
    }

    func countDeleted() { resolver.report.deleted += 1 }

    /// Reports a problem with a row, or with the whole import from that row on.
    func note(_ row: Int, _ message: String) {
        resolver.report.problems.append(
            ImportProblem(row: row, path: "", property: nil, message: message, isRowSkipped: false))
    }

    package func forgetReport() { resolver.report = ImportReport() }

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

    func failure(_ error: JSONError, in text: UnsafeRawBufferPointer) -> RecordStackError {
        RecordStackError(
            .importFailed, "The text is not JSON\(error.where(in: text)): \(error).", cause: error,
            entity: mapping.entity.name)
    }

    /// Reports that a row is not JSON, and skips it.
    func refuse(_ message: String) {
        let row = mapping.rows.append(number: number)
        row.edit { $0.refusal = message }
        add(row)
    }
}

extension ImportOptions {
    /// Checks the numbers in the options.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a number outside its range.
    func check() throws {
        if batchSize >= 1 && mostProblems ?? 0 >= 0 { return }
        throw RecordStackError(
            .misuse,
            batchSize < 1
                ? "batchSize is \(batchSize). A batch has 1 row at least."
                : "mostProblems is \(mostProblems ?? 0). It is 0 or more, or nil for no limit.")
    }
}
