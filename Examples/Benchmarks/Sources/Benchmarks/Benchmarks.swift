import Foundation

/// The program: reads its arguments, measures the workloads, and reports the results.
@main
struct Benchmarks {
    // The main actor makes every timed call begin on the same thread, and so on the same arena of
    // the allocator.
    @MainActor
    static func main() async {
        do {
            let request = try Options.parse(Array(CommandLine.arguments.dropFirst()))
            switch request {
            case .help: print(Options.usage)
            case .batches(let path, let scale):
                // The parent process handles signals, and this process would inherit that
                // they are ignored.
                for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
                let batches = HeapBatches(scale: scale, path: path)
                print(try await batches.run(objects: scale.made).text)
            case .run(let options): exit(try await run(options) ? 0 : 1)
            }
        } catch let error as UsageError {
            ProgressLine.complain("\(error.message)\n\n\(Options.usage)")
            exit(2)
        } catch {
            ProgressLine.complain("Benchmarks: \(error)")
            exit(1)
        }
    }

    /// Runs the workloads, and returns true if everything ran and every result agreed.
    @MainActor
    private static func run(_ options: Options) async throws -> Bool {
        let directory = try WorkDirectory(under: options.directory)
        let interruption = Interruption(removing: directory)
        defer {
            directory.remove()
            interruption.end()
        }
        let runner = Runner(lab: Lab(scale: options.scale, directory: directory), options: options)
        if let runs = options.profileRuns {
            try await runner.profile(runs: runs)
            return true
        }
        if options.checksOnly { return await runner.check { print("\($0.id) agrees") } }
        let report = Report(options: options)
        report.begin()
        let (results, complete) = await runner.run { report.add($0) }
        try report.end(results)
        return complete
    }
}
