package import RecordStackGraph
package import RecordStackModel

/// How each batch of an import into a stack is imported.
package struct ImportPlan: Sendable {
    private let type: ManagedObject.Type
    private let keyPath: String?
    private let options: ImportOptions
    /// Whether it is noted which objects the rows are of.
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

    /// What a batch has come to.
    package struct Outcome: Sendable {
        package let report: ImportReport
        package let seen: SeenObjects
        /// Keys whose objects a later batch may bring.
        package var waiting = ForwardReferences()
        /// Where references of earlier batches wait no more.
        package var supersededLocations: Set<ForwardReference.Location> = []
        /// Objects that were made of a key alone, by now.
        package var unfinished: Set<ManagedObjectID> = []
    }

    /// Imports a batch into a context that is new.
    /// - Parameters:
    ///   - problems: how many there were before.
    ///   - state: what earlier batches have left.
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

    /// Relates objects that batches were waiting for.
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
        // The importer goes on, and has what it has seen itself.
        return Outcome(report: importer.takeReport(), seen: SeenObjects())
    }

    /// How often a batch is imported anew because others have made the same objects meanwhile.
    private static var attempts: Int { 3 }

    /// Runs a body again where somebody else got in between: what was new then is found now.
    package func retrying<Result>(_ body: () async throws -> Result) async throws -> Result {
        for _ in 1..<Self.attempts {
            do {
                return try await body()
            } catch let error as RecordStackError where error.isOfRace {}
        }
        return try await body()
    }

    /// Runs a body again as ``retrying(_:)`` does.
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

/// An import whose batches go into one context.
///
/// - Note: `@unchecked Sendable`: it is used on that context's queue alone, by one batch after another.
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
