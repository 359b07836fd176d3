/// The program's parsed arguments.
struct Options: Sendable {
    var workloads: [any Workload] = []
    var json = false
    var quick = false
    /// True to compare the results and measure nothing.
    var checksOnly = false
    var peersOnly = false
    var profileRuns: Int?
    var plot: String?
    var directory: String?

    var scale: Scale { checksOnly ? .check : quick ? .quick : .full }

    /// The number of blocks. Pairs come in twos (AB, then BA), so an odd number is rounded up.
    var blocks: Int { ((quick ? 3 : 11) + 1) / 2 }

    var pairs: Int { blocks * 2 }
}

/// The numbers of rows and rounds.
struct Scale: Sendable {
    let persons: Int
    /// The number of rounds of a long loop.
    let rounds: Int
    /// The number of objects in a context that holds very many.
    let held: Int
    /// The number of saves of one object each.
    var saves: Int { persons / 10 }
    /// The number of objects that are changed or deleted at once.
    var changed: Int { persons / 10 }
    /// The number of rows of an import that differ from the import before.
    var touched: Int { persons / 100 }
    /// The number of beats of the main actor, one each millisecond.
    var beats: Int { persons / 50 }
    /// The time for which readers and a writer work, in seconds.
    ///
    /// The log is written back several times meanwhile.
    var rush: Double { Double(persons) / 70_000 }
    /// The number of objects that are created in batches.
    var made: Int { persons * 10 }

    /// The number of rounds of a short loop, which a long one is compared with.
    var fewRounds: Int { rounds / 16 }
    /// The number of times that a question is asked for one figure.
    var questions: Int { rounds / 160 }
    /// The number of rows that are looked up one by one.
    var sought: Int { min(persons, rounds * 25 / 4) }
    /// The number of contexts that live at once.
    var contexts: Int { persons / 20 }

    /// The number of persons, abbreviated.
    var name: String { Self.short(persons) }

    /// Returns a number of thousands or millions, abbreviated.
    static func short(_ count: Int) -> String {
        if count.isMultiple(of: 1_000_000) { return "\(count / 1_000_000)M" }
        return count.isMultiple(of: 1_000) ? "\(count / 1_000)k" : "\(count)"
    }

    static let full = Scale(persons: 100_000, rounds: 16_000, held: 1_000_000)
    static let quick = Scale(persons: 10_000, rounds: 480, held: 10_000)
    /// Enough rows for several pages, batches and checkpoints; every change is checked with them.
    static let check = Scale(persons: 4_000, rounds: 320, held: 4_000)
}

/// The error for arguments that the program does not accept.
struct UsageError: Error {
    let message: String
}
