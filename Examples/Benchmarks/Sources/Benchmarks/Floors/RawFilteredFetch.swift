import GRDBSQLite

/// **raw**: the SELECT with its one value bound, prepared once, with rows as R1 objects.
final class RawFilteredFetch: Contender {
    let name: String
    private let filter: HundredthFilter
    private let kind: HundredthFilter.Kind
    private let indexed: RawStatement
    private let scanned: RawStatement

    init(_ lab: Lab, _ kind: HundredthFilter.Kind) throws {
        name = "raw, \(kind.rawValue)"
        self.kind = kind
        filter = HundredthFilter(lab)
        let select = "SELECT \(PersonSchema.columnList) FROM person WHERE"
        indexed = try RawStatement("\(select) \"email\" < ? ORDER BY \"_key\"", on: lab.floor())
        scanned = try RawStatement("\(select) \"visits\" < ? ORDER BY \"_key\"", on: lab.floor())
    }

    private func fetch(_ kind: HundredthFilter.Kind) throws -> [FloorPerson] {
        switch kind {
        case .indexed:
            indexed.handle.bind(filter.textLimit, at: 1)
            return try indexed.people()
        case .scanned:
            scanned.handle.bind(Int64(filter.visitLimit), at: 1)
            return try scanned.people()
        }
    }

    func run() throws {
        for _ in 0..<HundredthFilter.rounds {
            guard try !fetch(kind).isEmpty else { throw Failure("raw found nobody") }
        }
    }

    func fingerprint() throws -> Fingerprint {
        Fingerprint(of: try HundredthFilter.Kind.allCases.flatMap { try fetch($0).map(\.row) })
    }
}
