import FoundationEssentials
import RecordStack

/// Uses entities without macros: the same verbs, and no swift-syntax in the build.
@main
struct ByHand {
    static let rows = """
        [{"email": "Ann@Example.org", "profile": {"age": 41}},
         {"email": "bob@example.org", "profile": {"age": null}},
         {"profile": {"age": 7}}]
        """

    static func main() async throws {
        let stack = try ContextStack(for: Person.self, Team.self, at: .inMemory)
        let report = try await stack.saveWithBlock { context in
            let team = try Team.create(in: context)
            team.title = "A"
            let report = try Person.importJSON(Data(rows.utf8), in: context)
            for person in try Person.find(in: context) { team.members.insert(person) }
            return report
        }
        print("\(report.inserted) imported")
        for problem in report.problems { print("row \(problem.row): \(problem.message)") }
        let people = try await stack.read { context in
            try Person.snapshots(sortedBy: .ascending(\.email), in: context) {
                $0.team.title == "A" && $0.team.rank == 1
            }
        }
        for person in people {
            print("\(person.email), \(person.age.map { "\($0)" } ?? "of unknown age")")
        }
        try stack.close()
    }
}
