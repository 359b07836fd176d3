import Foundation
import RecordStack
import RecordStackModel
import TestSupport
import Testing

/// Stacks that open and close one file at the same time.
@Suite("Opening and closing") struct OpenCloseTests {
    @Test func `stacks open, read and save a file that other stacks open and close`() async throws {
        let folder = try TemporaryFolder("open")
        let path = folder.file("a.sqlite")
        let rounds = Seeded.rounds(25, full: 500)
        try await withThrowingTaskGroup { group in
            for task in 0..<4 {
                group.addTask {
                    for round in 0..<rounds {
                        let stack = try ContextStack(for: Person.self, at: .file(path))
                        try await stack.saveWithBlock { context in
                            _ = try Person.create(in: context, email: "\(task)-\(round)")
                        }
                        let count = try await stack.read { try Person.count(in: $0) }
                        #expect(count > round)
                        try stack.close()
                    }
                }
            }
            group.addTask {
                var seen = 0
                for _ in 0..<rounds where FileManager.default.fileExists(atPath: path) {
                    guard let stack = try Self.reading(path) else { continue }
                    let count = try await stack.read { try Person.count(in: $0) }
                    #expect(count >= seen)
                    seen = count
                    try stack.close()
                }
            }
            try await group.waitForAll()
        }
        let stack = try ContextStack(for: Person.self, at: .file(path))
        #expect(try peopleCount(stack) == 4 * rounds)
        #expect(try await stack.integrityCheck().isEmpty)
        try stack.close()
    }

    /// - Returns: nil if the store does not exist yet.
    private static func reading(_ path: String) throws -> ContextStack? {
        do {
            return try ContextStack(
                for: Person.self, at: .file(path), options: StoreOptions(isReadOnly: true))
        } catch let error as RecordStackError where error.code == .cannotOpen {
            return nil
        }
    }
}
