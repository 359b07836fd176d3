package import RecordStackGraph
package import RecordStackModel

/// The steps with which a stack imports each batch.
package struct ImportPlan: Sendable {
    private let type: ManagedObject.Type
    private let keyPath: String?
    private let options: ImportOptions
    /// True to record the objects that have rows.
    private let watchesObjects: Bool
    private let addHooks: @Sendable (inout ImportHooks) -> Void

    package init(
        _ type: ManagedObject.Type, at keyPath: String?, _ options: ImportOptions,
        watchesObjects: Bool, _ addHooks: @escaping @Sendable (inout ImportHooks) -> Void
    ) {
        self.type = type
        self.keyPath = keyPath
        self.options = options
        self.watchesObjects = watchesObjects
        self.addHooks = addHooks
    }

    /// The result of a batch.
    package struct Outcome: Sendable {
        package let report: ImportReport
        package let seen: SeenObjects
        /// References to keys whose objects a later batch may bring.
        package var waiting = ForwardReferences()
        /// The locations of earlier references that rows of this batch have replaced.
        package var supersededLocations: Set<ForwardReference.Location> = []
        /// All objects that were created from a key alone so far.
        package var unfinished: Set<ManagedObjectID> = []
    }

    /// Imports a batch into a new context.
    ///
    /// - Parameters:
    ///   - problems: the number of problems in earlier batches.
    ///   - state: the state that earlier batches have left.
    package func run(
        _ batch: ImportBatch, after problems: Int, from state: ImportState,
        in context: ManagedObjectContext
    ) throws -> Outcome {
        let importer = try makeImporter(in: context, firstRow: batch.firstRow)
        importer.problemsBefore = problems
        importer.continue(from: state)
        try importer.run(batch, at: keyPath)
        let (report, waiting) = try importer.finishPart()
        return Outcome(
            report: report, seen: importer.seen ?? SeenObjects(), waiting: waiting,
            supersededLocations: importer.supersededLocations, unfinished: importer.unfinished)
    }

    /// Links references of earlier batches to objects that exist by now.
    package func link(
        _ waiting: ForwardReferences, after problems: Int,
        in context: ManagedObjectContext
    ) throws -> Outcome {
        let importer = try makeImporter(in: context)
        importer.problemsBefore = problems
        try importer.link(waiting)
        return Outcome(report: importer.sortedReport, seen: importer.seen ?? SeenObjects())
    }

    package func makeImporter(
        in context: ManagedObjectContext, firstRow: Int = 0
    ) throws -> Importer {
        var hooks = ImportHooks()
        addHooks(&hooks)
        let importer = try Importer(
            into: type, context: context, options: options, hooks: hooks, firstRow: firstRow)
        if watchesObjects { try importer.watchObjects() }
        return importer
    }

    fileprivate func run(
        _ batch: ImportBatch, after problems: Int, with importer: Importer
    ) throws -> Outcome {
        importer.problemsBefore = problems
        try importer.run(batch, at: keyPath)
        // The importer continues with the next batch, and keeps the seen objects itself.
        return Outcome(report: importer.takeReport(), seen: SeenObjects())
    }

    /// The number of attempts to import a batch that conflicts with other saves.
    private static var attempts: Int { 3 }

    /// Runs a closure again if it conflicts with another save.
    ///
    /// The next run finds the objects that the other save has created.
    package func retrying<Result>(_ body: () async throws -> Result) async throws -> Result {
        for _ in 1..<Self.attempts {
            do {
                return try await body()
            } catch let error as RecordStackError where error.isOfRace {}
        }
        return try await body()
    }

    /// Runs a closure again, as ``retrying(_:)`` does.
    package func retryingNow<Result>(_ body: () throws -> Result) throws -> Result {
        for _ in 1..<Self.attempts {
            do {
                return try body()
            } catch let error as RecordStackError where error.isOfRace {}
        }
        return try body()
    }
}

extension RecordStackError {
    fileprivate var isOfRace: Bool { code == .constraint || code == .conflict }
}

/// The state of an import whose batches all go into one context.
///
/// - Note: `@unchecked Sendable`: only that context's queue uses an instance, for one batch
///   after another.
package final class ImportRoom: @unchecked Sendable {
    package private(set) var importer: Importer?

    package init() {}

    package func run(
        _ batch: ImportBatch, _ plan: ImportPlan, after problems: Int,
        in context: ManagedObjectContext
    ) throws -> ImportPlan.Outcome {
        let known = try importer ?? plan.makeImporter(in: context, firstRow: batch.firstRow)
        importer = known
        return try plan.run(batch, after: problems, with: known)
    }
}
