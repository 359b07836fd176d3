/// Work that several contenders do.
protocol Workload: Sendable {
    var id: String { get }
    func what(_ scale: Scale) -> String
    func unit(_ scale: Scale) -> TimeUnit

    /// Our library beside floors and peers, with gates and moonshots.
    func comparisons(_ lab: Lab) async throws -> [Comparison]
    /// The floors and peers alone; the first is what the others are measured against.
    func peers(_ lab: Lab) throws -> [any Contender]
}

/// How a time is told.
struct TimeUnit {
    let symbol: String
    let nanoseconds: Double

    static let milliseconds = TimeUnit(symbol: "ms", nanoseconds: 1_000_000)

    /// Microseconds for each of a number of operations.
    static func microseconds(each count: Int) -> TimeUnit {
        TimeUnit(symbol: "µs", nanoseconds: 1_000 * Double(count))
    }
}
