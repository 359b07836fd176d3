/// Work that several contenders do.
protocol Workload: Sendable {
    var id: String { get }
    func what(_ scale: Scale) -> String
    func unit(_ scale: Scale) -> Unit

    /// Returns RecordStack beside floors and peers, with gates and moonshots.
    func comparisons(_ lab: Lab) async throws -> [Comparison]
    /// Returns only the floors and peers. The first is the base of all comparisons.
    func peers(_ lab: Lab) throws -> [any Contender]
    /// Returns the required result of each contender; by default all persons.
    func expected(_ lab: Lab) throws -> Fingerprint
    /// The multiple of the usual number of pairs, for gates so close to 1 that noise matters.
    var patience: Int { get }
    /// A remark on how the contenders differ from the program's general description.
    var remark: String? { get }
}

extension Workload {
    func expected(_ lab: Lab) throws -> Fingerprint { lab.data.fingerprint }
    var patience: Int { 1 }
    var remark: String? { nil }
}

/// The unit in which a figure is reported.
struct Unit {
    let symbol: String
    /// The amount of ``Contender/measure()`` that is one of the unit.
    let size: Double

    static let milliseconds = Unit(symbol: "ms", size: 1_000_000)
    static let nanoseconds = Unit(symbol: "ns", size: 1)
    static let bytesEach = Unit(symbol: "bytes each", size: 1)
    static let kibibytes = Unit(symbol: "KiB", size: 1_024)

    /// Returns the unit of microseconds for each of a number of operations.
    static func microseconds(each count: Int) -> Unit {
        Unit(symbol: "µs", size: 1_000 * Double(count))
    }
}
