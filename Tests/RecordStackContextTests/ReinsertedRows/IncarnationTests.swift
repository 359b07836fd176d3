import RecordStack
import RecordStackModel
import TestSupport
import Testing

@Suite("Incarnations of rows") struct IncarnationTests {
    private final class Store {
        let path: String
        let stack: ContextStack
        let program: ForeignProgram
        private let folder: TemporaryFolder

        init(_ names: [String]) throws {
            folder = try TemporaryFolder("incarnations")
            path = folder.file("store.sqlite")
            stack = try ContextStack(entities: ReinsertedFile.entities, at: .file(path))
            try stack.saveWithBlockAndWait { context in
                for name in names { try Keepsake.create(in: context, name: name) }
            }
            program = try ForeignProgram(path: path)
        }

        func open() throws -> ContextStack {
            try ContextStack(entities: ReinsertedFile.entities, at: .file(path))
        }

        /// The incarnation and the number of each row, by name.
        func versions() throws -> [[String]] {
            try program.rows(
                "SELECT _version >> 32, _version & 0xFFFFFFFF FROM Keepsake ORDER BY name")
        }
    }

    @Test func `each insertion of a row again has one of its own`() throws {
        let store = try Store(["a", "b", "c"])
        try ReinsertedFile.bringBack("b", store.stack)
        #expect(try store.versions() == [["0", "1"], ["1", "1"], ["0", "1"]])
        try ReinsertedFile.bringBack("c", store.stack)
        try ReinsertedFile.bringBack("b", store.stack)
        #expect(try store.versions() == [["0", "1"], ["3", "1"], ["2", "1"]])
        try store.stack.saveWithBlockAndWait { context in
            for keepsake in try Keepsake.find(in: context) { keepsake.worth = 9 }
        }
        #expect(try store.versions() == [["0", "2"], ["3", "2"], ["2", "2"]])
    }

    @Test func `two stacks on a file give none out twice`() throws {
        let names = (0..<6).map { "row \($0)" }
        let store = try Store(names)
        let stacks = [store.stack, try store.open()]
        for round in 0..<2 {
            for (place, name) in names.enumerated() {
                try ReinsertedFile.bringBack(name, stacks[(place + round) % 2])
            }
        }
        let incarnations = try store.versions().map { $0[0] }
        #expect(Set(incarnations) == Set((7...12).map(String.init)))
    }

    @Test func `rows that one save inserts again are all told from the deleted ones`() throws {
        let store = try Store(["a", "b"])
        let (context, other) = (store.stack.newContext(), store.stack.newContext())
        let held = try Keepsake.find(sortedBy: .ascending(\.name), in: other)
        for keepsake in held { keepsake.note = "held" }
        for keepsake in try Keepsake.find(in: context) { keepsake.worth += 1 }
        try store.stack.saveWithBlockAndWait { try Keepsake.delete(in: $0) { $0.worth == 0 } }
        try context.saveAndWait(mergePolicy: .objectTrump)
        #expect(try store.versions() == [["1", "1"], ["1", "1"]])
        // What is held of the deleted rows is changed on top of the new ones.
        try other.saveAndWait()
        #expect(held.map(\.worth) == [1, 1])
        #expect(try store.versions() == [["1", "2"], ["1", "2"]])
    }

    @Test func `a row in its last incarnation is followed by one in the first`() throws {
        let store = try Store(["a"])
        try store.program.run("UPDATE _recordstack SET value = 65534 WHERE name = 'incarnation'")
        for expected in ["65535", "1", "2"] {
            let context = store.stack.newContext()
            let held = try #require(try Keepsake.findFirst(in: context))
            held.note = expected
            try ReinsertedFile.bringBack("a", store.stack)
            let versions = try store.versions()
            #expect(versions == [[expected, "1"]])
            // What is held rests on the row before.
            try context.saveAndWait(mergePolicy: .objectTrump)
            #expect(try Keepsake.findFirst(in: store.stack.newContext())?.note == expected)
        }
    }

    @Test func `a store without a count of them inserts no row again`() throws {
        let store = try Store(["a"])
        try store.program.run("DELETE FROM _recordstack WHERE name = 'incarnation'")
        let error = #expect(throws: RecordStackError.self) {
            try ReinsertedFile.bringBack("a", store.stack)
        }
        #expect(error?.code == .corrupt)
    }
}

@Suite("Versions of rows") struct RowVersionTests {
    @Test func `a version is later than those before it, in every incarnation`() {
        let versions = [
            .noRow, .first, RowVersion.first.next, RowVersion(incarnation: 1),
            RowVersion(incarnation: 1).next, RowVersion(incarnation: 7),
            RowVersion(incarnation: 30_000),
        ]
        for (place, version) in versions.enumerated() {
            for earlier in versions[..<place] {
                #expect(earlier < version && !(version < earlier))
            }
        }
    }

    @Test func `incarnations go round`() {
        let (last, first) = (RowVersion(incarnation: 65_535), RowVersion(incarnation: 65_537))
        #expect(first.column == 1 << 32 | 1)
        #expect(last < first && first.isReturn(since: last) && !last.isReturn(since: first))
    }

    @Test func `no row is earlier than any`() {
        for incarnation in [0, 1, 32_768, 40_000, 65_535] as [Int64] {
            #expect(RowVersion.noRow < RowVersion(incarnation: incarnation))
            #expect(RowVersion(incarnation: incarnation).isReturn == (incarnation != 0))
        }
    }

    @Test func `updates are no returns`() {
        let row = RowVersion(incarnation: 3, number: 5)
        #expect(!row.next.isReturn(since: row) && row.next.previous == row)
        #expect(!row.isReturn(since: row))
    }
}
