import ArgumentParser
import Foundation
import RecordStack

@main
struct Earthquakes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Imports a feed of earthquakes and shows the strongest.",
        discussion: "Feeds are at https://earthquake.usgs.gov/earthquakes/feed/v1.0/geojson.php.")

    @Argument(help: "A feed in GeoJSON.") var feed: String
    @Option(help: "The file to keep the quakes in; without, they are kept in memory.")
    var store: String?
    @Option(help: "Which page of the strongest quakes to show, from 1.") var page = 1
    @Option(help: "Leave weaker quakes out of the list.") var minMagnitude: Double?

    @MainActor
    func run() async throws {
        let stack = try ContextStack(for: Quake.self, at: store.map { .file($0) } ?? .inMemory)
        let report = try await importFeed(into: stack)
        print(
            "\(report.inserted) inserted, \(report.updated) updated, \(report.unchanged) unchanged, "
                + "\(report.skipped) skipped")
        for problem in report.problems { print("  \(problem)") }
        try printStrongest(in: stack.defaultContext)
        try printNetworks(in: stack.defaultContext)
        try stack.close()
    }

    private func importFeed(into stack: ContextStack) async throws -> ImportReport {
        let data = try Data(contentsOf: URL(fileURLWithPath: feed))
        let clock = ContinuousClock()
        let start = clock.now
        let report = try await stack.saveWithBlock { context in
            let bar = ProgressBar()
            defer { bar.end() }
            return try Quake.importJSON(data, at: "features", in: context) { bar.show($0) }
        }
        let seconds = (clock.now - start) / .seconds(1)
        print(
            "Read \(report.rows) quakes in \(String(format: "%.2f", seconds)) s:", terminator: " ")
        return report
    }

    @MainActor
    private func printStrongest(in context: ManagedObjectContext) throws {
        let request =
            (minMagnitude.map { least in Quake.where { $0.magnitude >= least } } ?? Quake.all)
            .sorted(by: [.descending(\.magnitude), .descending(\.time)])
        let page = try context.page(page, size: 10, of: request)
        print("\nThe strongest of \(page.total), page \(page.number) of \(page.pageCount):")
        for quake in page.items {
            let magnitude = quake.magnitude.map { String(format: "%4.1f", $0) } ?? "   ?"
            let time = quake.time.formatted(.iso8601)
            print("  \(magnitude)  \(time)  \(quake.place ?? "somewhere")")
        }
    }

    @MainActor
    private func printNetworks(in context: ManagedObjectContext) throws {
        let networks = Set(try Quake.find(in: context).map(\.network))
        let counts = try networks.map { network in
            (network, try Quake.count(in: context) { $0.network == network })
        }
        print("\nQuakes per network:")
        for (network, count) in counts.sorted(by: { ($1.1, $0.0) < ($0.1, $1.0) }) {
            print("  \(network)\(String(repeating: " ", count: max(1, 4 - network.count)))\(count)")
        }
    }
}
