import Foundation
import TestSupport
import Testing

/// A file of lines that is larger than the memory that its import may use.
@Suite("Big files") struct BigFileTests {
    private static let megabytes = Seeded.rounds(64, full: 1_024)

    @Test
    func `importing a long file needs at most 150 MB of memory`() throws {
        let folder = try TemporaryFolder("big-file")
        let child = try ChildProgram("BigImport", [folder.path, "\(Self.megabytes)"])
        let words = try #require(child.nextLine()).split(separator: " ").compactMap { Int($0) }
        try #require(words.count == 5)
        print("\(Self.megabytes) MB, \(words[0]) lines: \(words[4]) MB resident at most")
        #expect(words[0] > Self.megabytes * 5_000)
        #expect(words[1] == words[0] && words[2] == words[0] && words[3] == 0)
        // Sanitizers keep freed memory.
        let isSanitized = ProcessInfo.processInfo.environment["RECORDSTACK_SANITIZER"] != nil
        #expect(isSanitized || words[4] <= 150)
        #expect(child.wait().status == 0)
    }
}
