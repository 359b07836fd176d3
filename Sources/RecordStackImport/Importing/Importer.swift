import FoundationEssentials
package import RecordStackGraph
import RecordStackModel

/// Imports rows into objects of one entity: batch by batch, each with one query for each entity that it refers to.
package final class Importer {
    let context: ManagedObjectContext
    /// Where the objects are: the context that was given, or, in a dry run, a child of it.
    package var target: ManagedObjectContext { context }
    let options: ImportOptions
    let mapping: ImportMapping
    private let resolver: BatchResolver
    /// Holds on to the mappings.
    let mappings: ImportMappings
    private let hooks: ImportHooks
    private var batch: [StagedRow] = []
    private let progress: ((ImportProgress) -> Void)?
    /// The number of the next row.
    var number: Int
    /// How many problems other parts of the import had.
    package var problemsBefore = 0

    /// - Parameter firstRow: the number of the first row.
    /// - Throws: ``RecordStackError/Code/misuse`` where the entity's mapping cannot be read, and for an
    ///   abstract entity without a discriminator.
    package init(
        into type: ManagedObject.Type, context: ManagedObjectContext, options: ImportOptions,
        hooks: ImportHooks = ImportHooks(), firstRow: Int = 0,
        progress: ((ImportProgress) -> Void)? = nil
    ) throws {
        try context.requireOpen()
        // A child that is dropped changes nothing.
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
        // Found out with the first new object, it would be in the middle.
        if mapping.kinds == nil { try context.requireConcrete(type) }
        if let problem = mapping.identityProblem { throw problem }
        resolver = BatchResolver(
            context: context, mapping: mapping, clearsAbsent: mappings.clearsAbsent,
            callsHooks: hooks.hasTransforms || mappings.all.contains(where: \.hooks.seeRows))
    }

    /// What was imported so far.
    var report: ImportReport { resolver.report }

    /// Which objects the rows are of; nil where nobody wants to know.
    package var seen: SeenObjects? {
        get { resolver.seen }
        set { resolver.seen = newValue }
    }

    /// Adds a row, whose number is the next one.
    func add(_ row: StagedRow) {
        batch.append(row)
        number += 1
    }

    /// Adds rows, the first of which has the next number.
    func add(_ rows: [StagedRow]) {
        batch += rows
        number += rows.count
    }

    /// Whether there are as many rows as are looked up together.
    var isBatchFull: Bool { batch.count >= options.batchSize }

    /// Imports the rows that were added.
    func finishBatch() throws { try finishBatch(of: mappings) }

    /// Imports the rows that were added, which were read by some of the mappings.
    func finishBatch(of mappings: ImportMappings) throws {
        try context.checkCancellation()
        try resolver.resolve(batch)
        forgetBatch(of: mappings)
        try checkProblems()
    }

    /// Mappings of their own for rows that are read while others are imported; nil where that is not worth it, and where
    /// somebody is called for rows as they are read, who is to be called in the context's isolation.
    func mappingsToReadAhead(_ bytes: Int) throws -> ImportMappings? {
        if bytes < Self.fewBytes || hooks.hasTransforms { return nil }
        if mappings.all.contains(where: \.hooks.seeRows) { return nil }
        let others = ImportMappings(options, hooks)
        _ = try others.mapping(of: mapping.entity)
        try others.finish()
        return others
    }

    private static var fewBytes: Int { 1 << 16 }

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
    /// - Returns: the report.
    package func finish() throws -> ImportReport {
        try link(resolver.takeWaiting())
        try resolver.deleteAbandoned()
        return sortedReport
    }

    /// Ends a part of an import.
    /// - Returns: the report, and the keys that no object has yet.
    func finishPart() throws -> (report: ImportReport, waiting: ForwardReferences) {
        let waiting = try resolver.link(resolver.takeWaiting(), mappings.relation)
        return (try finish(), waiting)
    }

    /// Goes on where earlier parts have ended.
    func `continue`(from state: ImportState) {
        resolver.earlierLocations = state.waitingLocations
        resolver.unfinished = state.unfinished
    }

    /// Where references of earlier parts wait no more, because rows have said something else.
    var supersededLocations: Set<ForwardReference.Location> { resolver.supersededLocations }

    /// Objects that were made of a key alone.
    var unfinished: Set<ManagedObjectID> { resolver.unfinished }

    /// Relates objects that earlier parts of an import were waiting for, and reports those that have not come.
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

    /// Notes what concerns a row, or the whole import from it on.
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
