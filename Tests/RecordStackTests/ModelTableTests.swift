import RecordStackModel
import TestSupport
import Testing

/// The tables in which a model finds its parts.
@Suite("Tables of the model") struct ModelTableTests {
    private final class Thing {}

    @Test func `IdentityTable finds every object by identity and no other object`() {
        for count in [0, 1, 2, 3, 7, 100, 1_000] {
            let things = (0..<count).map { _ in Thing() }
            let table = IdentityTable(things.map { ObjectIdentifier($0) })
            for (index, thing) in things.enumerated() {
                #expect(table[ObjectIdentifier(thing)] == index)
            }
            let others = (0..<10).map { _ in Thing() }
            #expect(others.allSatisfy { table[ObjectIdentifier($0)] == nil })
        }
    }

    @Test func `NameTable finds names as a dictionary does`() {
        for count in [0, 1, 8, 9, 17, 300] {
            var table = NameTable()
            var indexes: [String: Int] = [:]
            for index in 0..<count {
                // Equal names in other scalars, and every third name twice.
                let name = (index % 2 == 0 ? "é" : "e\u{301}") + "\(index - index % 3 / 2)"
                #expect(table.insert(name) == indexes[name])
                if indexes[name] == nil { indexes[name] = indexes.count }
            }
            for (name, index) in indexes { #expect(table.index(of: name) == index) }
            #expect(table.index(of: "e") == nil)
        }
    }
}
