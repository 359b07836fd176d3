import Foundation
import RecordStack

/// Imports J2 into an empty store, in one save block.
final class OurNestedImport: Contender {
    let name = "ours, first"
    private let text: Data
    private let directory: WorkDirectory
    private let path: String
    private var stack: ContextStack?

    init(_ lab: Lab) {
        text = lab.nestedJSON
        directory = lab.directory
        path = lab.directory.path("nested-ours.sqlite")
    }

    func prepare() async throws { stack = try Nested.stack(at: path) }

    func run() async throws {
        if let stack { _ = try await Nested.load(text, into: stack) }
    }

    func finish() async throws {
        try stack?.close()
        stack = nil
        directory.removeStore(path)
    }

    func fingerprint() async throws -> Fingerprint {
        try await prepare()
        try await run()
        guard let stack else { throw Failure("there is no stack") }
        let fingerprint = try Nested.fingerprint(of: stack)
        try await finish()
        return fingerprint
    }
}

/// Imports J2 into a store that has all of it, with and without changes in turn.
final class OurNestedImportAgain: Contender {
    enum Figure { case time, rowsWritten }

    let name: String
    private let texts: [Data]
    private let figure: Figure
    private let path: String
    private var stack: ContextStack?
    private var turn = 0

    /// Creates a contender.
    ///
    /// - Parameter texts: the texts that are imported in turn.
    init(_ name: String, _ texts: [Data], _ figure: Figure, _ lab: Lab) {
        self.name = name
        self.texts = texts
        self.figure = figure
        path = lab.directory.path("again-\(name.count)-\(figure).sqlite")
    }

    func prepare() async throws {
        if stack != nil { return }
        let stack = try Nested.stack(at: path)
        _ = try await Nested.load(texts[0], into: stack)
        self.stack = stack
        turn = 1
    }

    func run() async throws {
        guard let stack else { return }
        _ = try await Nested.load(texts[turn % texts.count], into: stack)
        turn += 1
    }

    func measure() async throws -> Double {
        if figure == .time { return try await time() }
        try await prepare()
        guard let before = stack?.storeStatistics.rowsWritten else {
            throw Failure("there is no stack")
        }
        try await run()
        return Double((stack?.storeStatistics.rowsWritten ?? before) - before)
    }

    func fingerprint() async throws -> Fingerprint {
        try await prepare()
        try await run()
        guard let stack else { throw Failure("there is no stack") }
        return try Nested.fingerprint(of: stack)
    }
}
