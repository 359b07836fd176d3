import Foundation
import RecordStack

/// Imports J1 in one `saveWithBlock`, down to the disk.
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
