import Foundation
import RecordStack
import RecordStackTesting
import TestSupport
import Testing

@Suite("Imports of entities with many attributes")
struct WideImportTests {
    @Test func `an import reads 70 attributes in any order`() throws {
        var seeds = Seeded.fromEnvironment()
        let context = try TestStack(for: Wide.self).stack.newContext()
        let names = (0..<70).map { String(format: "a%02d", $0) }
        for round in 0..<100 {
            let given = names.filter { _ in seeds.chance(70) }.shuffled(using: &seeds)
            var values: [String: Int] = [:]
            for name in given { values[name] = seeds.chance(20) ? 0 : seeds.below(1_000) + 1 }
            let members = given.map {
                values[$0] == 0 ? "\"\($0)\": null" : "\"\($0)\": \(values[$0]!)"
            }
            let text = "{\(members.joined(separator: ", "))}"
            #expect(try Wide.importJSON(Data(text.utf8), in: context).inserted == 1)
            let object = try #require(try Wide.find(in: context).last)
            let read = try object.snapshot
            for (name, value) in [("a00", read.a00), ("a63", read.a63), ("a64", read.a64)] {
                #expect(value == values[name] ?? 0, "seed \(seeds.seed), round \(round)")
            }
            #expect(read.a65 == values["a65"] ?? 0)
            #expect(read.a69 == values["a69"] ?? 0)
        }
    }
}
