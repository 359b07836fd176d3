/// What the arguments ask for.
struct Options: Sendable {
    var workloads: [any Workload] = []
    var json = false
    var quick = false
    /// Whether the results are compared and nothing is measured.
    var checksOnly = false
    var peersOnly = false
    var profileRuns: Int?
    var plot: String?
    var directory: String?

    var scale: Scale { quick ? .quick : .full }

    /// Pairs come in twos (AB, then BA), so an odd number is rounded up.
    var blocks: Int { ((quick ? 3 : 11) + 1) / 2 }

    var pairs: Int { blocks * 2 }
}

/// How many rows there are.
struct Scale: Sendable {
    let persons: Int
    /// The number of rounds of a long loop.
    let rounds: Int
    /// The number of objects in a context that holds very many.
    let held: Int
    /// How many saves of one object each.
    var saves: Int { persons / 10 }
    /// How many objects are changed, or deleted, at once.
    var changed: Int { persons / 10 }
    /// How many rows of an import have changed since the one before.
    var touched: Int { persons / 100 }
    /// How often the main actor beats, once each millisecond.
    var beats: Int { persons / 50 }
    /// For how long readers and a writer are at work, in seconds: the log is written back several times meanwhile.
    var rush: Double { Double(persons) / 70_000 }
    /// How many objects are made in batches.
    var made: Int { persons * 10 }

    /// The number of rounds of a short loop, which a long one is compared with.
    var fewRounds: Int { rounds / 16 }
    /// The number of times that a question is asked for one figure.
    var questions: Int { rounds / 160 }
    /// The number of rows that are looked for one by one.
    var sought: Int { min(persons, rounds * 25 / 4) }
    /// The number of contexts that live at once.
    var contexts: Int { persons / 20 }

    /// The number of persons, in short.
    var name: String { Self.short(persons) }

    /// A number of thousands or millions, in short.
    static func short(_ count: Int) -> String {
        if count.isMultiple(of: 1_000_000) { return "\(count / 1_000_000)M" }
        return count.isMultiple(of: 1_000) ? "\(count / 1_000)k" : "\(count)"
    }

    static let full = Scale(persons: 100_000, rounds: 16_000, held: 1_000_000)
    static let quick = Scale(persons: 10_000, rounds: 480, held: 10_000)
}

/// Arguments that mean nothing to the program.
struct UsageError: Error {
    let message: String
}
