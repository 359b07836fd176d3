import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Error messages, which must be true of the operation that failed.
@Suite("Messages of failures") struct MessageTests {
    @Test func `destroyStore refuses an empty file and leaves it in place`() throws {
        let folder = try TemporaryFolder("doors")
        let path = folder.file("empty")
        try Data().write(to: URL(fileURLWithPath: path))
        for suffix in ["-wal", "-shm", "-journal"] {
            try Data().write(to: URL(fileURLWithPath: path + suffix))
        }
        let error = #expect(throws: RecordStackError.self) {
            try ContextStack.destroyStore(at: .file(path))
        }
        #expect(error?.code == .notADatabase && error?.message.contains("left as it is") == true)
        #expect(try folder.names.count == 4)
    }

    @Test func `destroyStore removes a store that was never written to`() throws {
        let folder = try TemporaryFolder("doors")
        let path = folder.file("store")
        try ContextStack(for: Box.self, Chest.self, at: .file(path)).close()
        #expect(try ContextStack.destroyStore(at: .file(path)))
        #expect(try folder.names.isEmpty)
    }

    private static let long = String(repeating: "k", count: 100_000)
    /// A single character of 200,001 scalars.
    private static let heavy = "e" + String(repeating: "\u{301}", count: 200_000)

    /// Texts of an import that no message may repeat, each with a description.
    private static let texts: [(what: String, text: String, at: String?)] = [
        ("nested", String(repeating: #"{"\#(long)":"#, count: 100) + "x", nil),
        ("nested arrays", String(repeating: "[", count: 500) + "x", nil),
        ("path", "{}", long), ("heavy path", "{}", heavy), ("deep path", "{}", "a." + long),
        ("empty step", "{}", long + ".."), ("key", #"{"\#(long)":1,"\#(heavy)":2}"#, "a"),
        ("unknown keys", #"[{"\#(long)":1,"\#(heavy)":2}]"#, nil),
        ("text", #"[{"id":"\#(long)"},{"id":"\#(heavy)"}]"#, nil),
        ("in a Codable value", #"[{"id":1,"byName":{"\#(long)":{"\#(heavy)":null}}}]"#, nil),
        ("Codable text", #"[{"id":1,"byName":"\#(long)"},{"id":2,"byName":"\#(heavy)"}]"#, nil),
    ]

    @Test(arguments: texts.indices)
    func `the error for a huge text in an import stays short`(index: Int) throws {
        let (what, text, path) = Self.texts[index]
        let stack = try TestStack(for: Bramble.self).stack
        func check(_ body: () throws -> ImportReport) {
            let messages: [String]
            do {
                let problems = try body().problems
                #expect(!problems.isEmpty, "\(what)")
                messages = problems.map(\.description)
            } catch {
                messages = [(error as? RecordStackError)?.message ?? "\(error)"]
            }
            for message in messages { #expect(message.utf8.count < 3_000, "\(what)") }
        }
        let context = stack.newContext()
        check { try Bramble.importJSON(Data(text.utf8), at: path, in: context) }
        check {
            try stack.importJSONAndWait(
                .data(Data(text.utf8)), at: path, into: Bramble.self, options: .lines(path == nil))
        }
    }
}

extension ImportOptions {
    fileprivate static func lines(_ areLines: Bool) -> ImportOptions {
        var options = ImportOptions()
        options.format = areLines ? .ndjson : .json
        return options
    }
}
