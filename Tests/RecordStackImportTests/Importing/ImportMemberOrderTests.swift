import Foundation
import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// An entity whose objects cannot be created from a key alone.
@Entity final class Pennant: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String
    @Relationship(.imported(from: "list")) var list: OrderedToMany<Pennant>
    @Relationship(.imported(from: "row"), .importing(members: .replace))
    var row: OrderedToMany<Pennant>
}

/// The order of members that occur twice or that later rows bring.
@Suite("Order of imported members")
struct ImportMemberOrderTests {
    /// The ways in which the members of a list get into the store.
    enum Arrival: CaseIterable, Sendable {
        case before, laterRow, laterBatch, laterSavedBatch
    }

    /// - Returns: the members' IDs after the import, and after a second import of the same text.
    private func order(
        of lists: [[Int]], _ key: String, _ arrival: Arrival, known: Set<Int>
    ) throws -> (first: [Int], second: [Int], problems: [ImportProblem], isSettled: Bool) {
        let stack = try TestStack(for: Pennant.self).stack
        let members = Set(lists.joined()).sorted()
        let before = arrival == .before ? Set(members) : known
        func row(_ id: Int) -> String { #"{"id": \#(id), "name": "n\#(id)"}"# }
        let first = "[\(before.sorted().map(row).joined(separator: ","))]"
        try stack.saveWithBlockAndWait {
            _ = try Pennant.importJSON(Data(first.utf8), in: $0)
        }
        let owners = lists.map { #"{"id": 100, "name": "x", "\#(key)": \#($0)}"# }
        let others = members.filter { !before.contains($0) }.reversed().map(row)
        let text = Data("[\((owners + others).joined(separator: ","))]".utf8)
        var options = ImportOptions()
        options.batchSize = arrival == .laterRow ? 1_000 : 1
        func load() throws -> ImportReport {
            if arrival == .laterSavedBatch {
                return try stack.importJSONAndWait(
                    .data(text), into: Pennant.self, options: options)
            }
            return try stack.saveWithBlockAndWait {
                try Pennant.importJSON(text, in: $0, options: options)
            }
        }
        func read() throws -> [Int] {
            let context = stack.newContext()
            let owner = try #require(try Pennant.findFirst(by: \.id, 100, in: context))
            return (key == "list" ? owner.list : owner.row).map(\.id)
        }
        let report = try load()
        let one = try read()
        let again = try load()
        return (one, try read(), report.problems + again.problems, again.updated == 0)
    }

    @Test(arguments: ["list", "row"], Arrival.allCases)
    func `an imported member that is repeated stays at its first position`(
        key: String, arrival: Arrival
    ) throws {
        let result = try order(of: [[1, 2, 3, 1]], key, arrival, known: [1])
        #expect(result.first == [1, 2, 3] && result.second == [1, 2, 3])
        #expect(result.problems.isEmpty && result.isSettled)
    }

    @Test func `imported members get the listed order, however their rows arrive`() throws {
        var seeds = Seeded.fromEnvironment()
        print("ImportMemberOrderTests, seed \(seeds.seed)")
        for round in 0..<Seeded.rounds(40, full: 200) {
            let list = (0..<1 + seeds.below(7)).map { _ in 1 + seeds.below(5) }
            let known = Set((1...5).filter { _ in seeds.chance(40) })
            var wanted: [Int] = []
            for id in list where !wanted.contains(id) { wanted.append(id) }
            for key in ["list", "row"] {
                for arrival in Arrival.allCases {
                    let result = try order(of: [list], key, arrival, known: known)
                    let place: Comment =
                        "seed \(seeds.seed), round \(round): \(key) \(list), \(arrival), \(known.sorted())"
                    #expect(result.first == wanted, place)
                    #expect(result.second == wanted, place)
                    #expect(result.problems.isEmpty && result.isSettled, place)
                }
            }
        }
    }

    @Test func `the order from two imported member lists ignores when the members come`() throws {
        var seeds = Seeded.fromEnvironment()
        for round in 0..<Seeded.rounds(25, full: 150) {
            let lists = (0..<2).map { _ in
                (0..<1 + seeds.below(4)).map { _ in 1 + seeds.below(5) }
            }
            let known = Set((1...5).filter { _ in seeds.chance(40) })
            for key in ["list", "row"] {
                let wanted = try order(of: lists, key, .before, known: [])
                for arrival in Arrival.allCases {
                    let result = try order(of: lists, key, arrival, known: known)
                    let place: Comment =
                        "seed \(seeds.seed), round \(round): \(key) \(lists), \(arrival), \(known.sorted())"
                    #expect(result.first == wanted.first, place)
                    #expect(result.second == wanted.second && result.problems.isEmpty, place)
                }
            }
        }
    }
}
