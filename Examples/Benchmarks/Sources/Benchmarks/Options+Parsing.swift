extension Options {
    enum Request {
        case help
        case run(Options)
        /// The batches of W21, in a store at the path.
        case batches(String, Scale)
    }

    static var usage: String {
        """
        usage: Benchmarks [W1 W5 …] [--json] [--quick] [--peers] [--plot FILE.svg] [--directory DIR]

          W1 W5 …          the workloads to measure; all of them where none is named:
        \(workloadList)
          --json           one JSON object per workload on standard output
          --quick          few rows and few pairs: checks the results, hints at the figures
          --check          few rows: checks the results, measures nothing
          --peers          the floors and peers among themselves, without RecordStack
          --profile N      runs ours alone, N times, for a profiler; prints nothing
          --batches STORE  makes W21's batches in a new store, and prints the bytes in use after the tenth and the last
          --plot FILE.svg  draws the ratios
          --directory DIR  where the temporary files go; a disk, not memory

        Exit status: 0 everything ran and every result agreed (gates may be missed), 1 something
        did not, 2 wrong arguments.
        """
    }

    private static var workloadList: String {
        Workloads.all.map { "                   \($0.id)  \($0.what(.full))" }
            .joined(separator: "\n")
    }

    static func parse(_ arguments: [String]) throws(UsageError) -> Request {
        var options = Options()
        var rest = arguments[...]
        var store: String?
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": return .help
            case "--json": options.json = true
            case "--quick": options.quick = true
            case "--check": (options.quick, options.checksOnly) = (true, true)
            case "--peers": options.peersOnly = true
            case "--profile":
                let text = try value(of: argument, in: &rest)
                guard let runs = Int(text), runs > 0 else {
                    throw UsageError(message: "--profile takes a number of runs.")
                }
                options.profileRuns = runs
            case "--batches": store = try value(of: argument, in: &rest)
            case "--plot": options.plot = try value(of: argument, in: &rest)
            case "--directory": options.directory = try value(of: argument, in: &rest)
            default: try options.add(workload: argument)
            }
        }
        if let store { return .batches(store, options.scale) }
        if options.workloads.isEmpty { options.workloads = Workloads.all }
        return .run(options)
    }

    private static func value(
        of option: String, in rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let value = rest.popFirst(), !value.hasPrefix("--") else {
            throw UsageError(message: "\(option) takes a value.")
        }
        return value
    }

    private mutating func add(workload name: String) throws(UsageError) {
        guard let workload = Workloads.all.first(where: { $0.id == name }) else {
            throw UsageError(message: "Unknown argument: \(name)")
        }
        if !workloads.contains(where: { $0.id == name }) { workloads.append(workload) }
    }
}
