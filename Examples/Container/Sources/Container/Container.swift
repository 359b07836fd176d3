import FoundationEssentials
import RecordStack

/// Counts visits in a file: `Container [FILE]`.
///
/// The Dockerfile builds its image without swift-syntax.
@main
struct Container {
    static func main() async throws {
        let store: StoreLocation =
            CommandLine.arguments.dropFirst().first.map { .file($0) } ?? .inMemory
        let stack = try ContextStack(for: Page.self, Visit.self, at: store)
        try await stack.saveWithBlock { context in
            let visits: [(String, Visit.Kind)] = [
                ("about", .reader), ("index", .robot), ("index", .reader),
            ]
            for (path, kind) in visits {
                let page = try Page.findFirstOrCreate(by: \.path, path, in: context)
                let visit = try Visit.create(in: context, date: .now, kind: kind, page: page)
                visit.write("  from   \(kind) ")
            }
        }
        let visits = try await stack.read { context in
            try Visit.snapshots(sortedBy: .ascending { $0.page.path }, in: context) {
                $0.kind == .reader
            }
        }
        for visit in visits { print(try visit[\.note] ?? "no note") }
        try stack.close()
    }
}
