import Foundation
import RecordStack

/// Imports J1 in one `saveWithBlock`, to the disk.
final class OurImport: Contender {
    let name = "ours"
    private let text: Data
    private let directory: WorkDirectory
    private let path: String
    private var stack: ContextStack?

    init(_ lab: Lab) {
        text = lab.personJSON
        directory = lab.directory
        path = lab.directory.path("import-ours.sqlite")
    }

    func prepare() async throws {
        stack = try ContextStack(for: Person.self, at: .file(path))
    }

    func run() async throws {
        let text = text
        try await stack?.saveWithBlock { context in
            let report = try Person.importJSON(text, in: context)
            if report.skipped > 0 { throw Failure("\(report.skipped) rows were left out") }
        }
    }

    func finish() async throws {
        try stack?.close()
        stack = nil
        directory.removeStore(path)
    }

    func fingerprint() async throws -> Fingerprint {
        try await prepare()
        try await run()
        let fingerprint = try StoredRows.fingerprint(of: path)
        try await finish()
        return fingerprint
    }
}

/// Imports J1 into a store that has all of its persons, with a new number of visits each time.
final class OurImportAgain: Contender {
    let name = "ours, each row changed"
    private let texts: [Data]
    private let path: String
    private var stack: ContextStack?
    private var turn = 0

    init(_ lab: Lab) {
        texts = [lab.personJSON, lab.visitedJSON]
        path = lab.directory.path("import-again.sqlite")
    }

    func prepare() async throws {
        if stack != nil { return }
        stack = try ContextStack(for: Person.self, at: .file(path))
        try await run()
    }

    func run() async throws {
        let text = texts[turn % texts.count]
        let isFirst = turn == 0
        try await stack?.saveWithBlock { context in
            let report = try Person.importJSON(text, in: context)
            if !isFirst && report.updated < report.rows {
                throw Failure("\(report.updated) rows were changed")
            }
        }
        turn += 1
    }

    func fingerprint() async throws -> Fingerprint {
        try await prepare()
        // The second run restores the first values.
        try await run()
        try await run()
        return try StoredRows.fingerprint(of: path)
    }
}
