import Foundation
import RecordStack

@main
struct QuickStart {
    @MainActor
    static func main() async throws {
        let stack = try ContextStack(for: Person.self, Team.self, at: .inMemory)
        let json = try Data(
            contentsOf: Bundle.module.url(forResource: "people", withExtension: "json")!)

        // A save block runs off the main actor. Its changes are saved when it returns.
        let report = try await stack.saveWithBlock { context in
            let report = try Person.importJSON(json, in: context)
            let team = try Team.create(in: context, title: "A")
            for person in try Person.find(in: context, where: { $0.age >= 18 }) {
                person.team = team
            }
            return report
        }
        print("Imported: \(report.inserted) new, \(report.skipped) left out")
        for problem in report.problems { print("  \(problem)") }

        // The default context belongs to the main actor, and has merged the save.
        let context = stack.defaultContext
        print("\nAll \(try Person.count(in: context)) people, by name:")
        for person in try Person.find(sortedBy: .ascending(\.name), in: context) {
            let age = person.age.map { "\($0) years" } ?? "age unknown"
            print(
                "  \(person.name), \(age), \(person.team.map { "team \($0.title)" } ?? "no team")")
        }

        let adults = try Person.find(in: context) { $0.age >= 18 && $0.team.title == "A" }
        print("\nAdults in team A: \(adults.map(\.name).joined(separator: ", "))")

        let page = try Person.page(2, size: 2, sortedBy: .ascending(\.name), in: context)
        let names = page.items.map(\.name).joined(separator: ", ")
        print("Page \(page.number) of \(page.pageCount): \(names)")

        // Edits stay in the context until it is saved.
        try Person.findFirst(by: \.email, "bob@example.org", in: context)?.age = 18
        print("Unsaved changes: \(context.hasChanges)")
        try await context.save()
        print("Of age now: \(try Person.count(in: context) { $0.age >= 18 })")

        try stack.close()
    }
}
