/// Work that several contenders do.
protocol Workload: Sendable {
    var id: String { get }
    func what(_ scale: Scale) -> String
    func unit(_ scale: Scale) -> Unit

    /// Our library beside floors and peers, with gates and moonshots.
    func comparisons(_ lab: Lab) async throws -> [Comparison]
    /// The floors and peers alone; the first is what the others are measured against.
    func peers(_ lab: Lab) throws -> [any Contender]
    /// What each contender's work must come to; by default all persons.
    func expected(_ lab: Lab) throws -> Fingerprint
    /// How many times as many pairs as usual are measured: for gates that are closer to 1 than machines are quiet.
    var patience: Int { get }
    /// In what the contenders differ from what the program says of all of them.
    var remark: String? { get }
}

extension Workload {
    func expected(_ lab: Lab) throws -> Fingerprint { lab.data.fingerprint }
    var patience: Int { 1 }
    var remark: String? { nil }
}

/// How a figure is told.
struct Unit {
    let symbol: String
    /// How much of what ``Contender/measure()`` returns is one of the unit.
    let size: Double

    static let milliseconds = Unit(symbol: "ms", size: 1_000_000)
    static let nanoseconds = Unit(symbol: "ns", size: 1)
    static let bytesEach = Unit(symbol: "bytes each", size: 1)
    static let kibibytes = Unit(symbol: "KiB", size: 1_024)

    /// Microseconds for each of a number of operations.
    static func microseconds(each count: Int) -> Unit {
        Unit(symbol: "µs", size: 1_000 * Double(count))
    }
}
