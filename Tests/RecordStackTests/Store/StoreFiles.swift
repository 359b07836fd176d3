import Foundation
import RecordStack
import TestSupport
import Testing
import ThreadIdentity

/// Runs a body as a user without privileges, because root may read and write everything.
func asNobody<Value>(_ body: () throws -> Value) rethrows -> Value {
    guard getuid() == 0 else { return try body() }
    #expect(thread_become(65_534) == 0)
    defer { #expect(thread_become(0) == 0) }
    return try body()
}

/// Expects an error with a code, and words in its message that name the way out.
func expect(
    _ code: RecordStackError.Code, saying words: String...,
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
    do {
        try body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch let error as RecordStackError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        for word in words {
            #expect(error.message.contains(word), "\(error)", sourceLocation: sourceLocation)
        }
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}

extension RecordStackError {
    /// Returns the error of a body that waits, or nil if it throws no RecordStackError.
    static func of(_ body: () async throws -> Void) async -> RecordStackError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? RecordStackError
        }
    }
}

extension TemporaryFolder {
    /// Returns everything in the folder, with its bytes.
    func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try names {
            var isDirectory: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: file(name), isDirectory: &isDirectory)
            contents[name] = isDirectory.boolValue ? Data() : try bytes(name)
        }
        return contents
    }

    func bytes(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: file(name)))
    }

    func copy(_ name: String, to other: String) throws {
        try FileManager.default.copyItem(atPath: file(name), toPath: file(other))
    }

    /// Creates a closed store with some people.
    func makeStore(_ name: String = "store.sqlite", people: Int = 3) throws -> String {
        let stack = try ContextStack(for: Person.self, at: .file(file(name)))
        try savePeople(people, in: stack)
        try stack.close()
        return file(name)
    }
}

/// Saves people with the emails "p0", "p1", …, after those that exist.
func savePeople(_ count: Int, in stack: ContextStack, _ options: SaveOptions = []) throws {
    try stack.saveWithBlockAndWait(options) { context in
        let first = try Person.count(in: context)
        for index in first..<(first + count) {
            try Person.create(in: context, email: "p\(index)", name: "Person \(index)")
        }
    }
}

/// Returns the number of people that a stack finds.
func peopleCount(_ stack: ContextStack) throws -> Int {
    try Person.count(in: stack.newContext())
}
