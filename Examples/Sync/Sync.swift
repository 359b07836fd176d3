import Foundation
import RecordStack

/// Imports a shop's responses of two days, prints the reports, and writes the result.
@main
struct Sync {
    @MainActor
    static func main() async throws {
        let stack = try ContextStack(
            for: Product.self, Maker.self, Review.self, at: .inMemory)
        let context = stack.defaultContext
        try await load(Feed.monday, "Monday", into: stack)
        try show(context)

        try Product.findFirst(by: \.code, "L-1", in: context)?.isFavourite = true
        try await context.save()

        try await load(Feed.tuesday, "Tuesday", into: stack)
        try show(context)
        try await load(Feed.tuesday, "Tuesday, once more", into: stack)
        try write(context)
        try stack.close()
    }

    /// Imports a day's response, and deletes the products that the shop no longer has.
    @MainActor
    private static func load(
        _ data: Data, _ day: String, into stack: ContextStack
    ) async throws {
        let before = stack.storeStatistics
        let report = try await stack.importJSON(
            data, at: "products", into: Product.self, deletingOthers: Product.all)
        let written = (stack.storeStatistics - before).rowsWritten
        print("\(day): \(report.inserted) new, \(report.updated) changed, ", terminator: "")
        print("\(report.unchanged) as before, \(report.deleted) gone, ", terminator: "")
        print("\(report.skipped) left out; \(written) rows written")
        for problem in report.problems { print("  \(problem)") }
    }

    @MainActor
    private static func show(_ context: ManagedObjectContext) throws {
        for product in try Product.find(sortedBy: .ascending(\.code), in: context) {
            let price = product.price.map { String(format: "%.2f", $0) } ?? "-"
            let stars = product.reviews.map(\.stars).sorted().map { "\($0)" }.joined(separator: " ")
            let mark = product.isFavourite ? " ♥" : ""
            print(
                "  \(product.code) \(product.title)\(mark): \(price), \(product.maker?.name ?? "-"), "
                    + "\(stars.isEmpty ? "no stars" : "stars \(stars)")")
        }
        print()
    }

    /// Writes the products as JSON, with the same mapping in reverse.
    @MainActor
    private static func write(_ context: ManagedObjectContext) throws {
        var options = ExportOptions()
        options.depth = 1
        options.except = ["maker.products"]
        options.includesNulls = false
        options.isPretty = true
        let data = try Product.exportJSON(in: context, options: options)
        print("\n" + String(decoding: data, as: UTF8.self), terminator: "")
    }
}
