import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// Compiled statements that a store keeps, without the values of the requests.
@Suite("Values in compiled statements") struct KeptValueTests {
    /// Lists that appear in SQL in different ways.
    private static let lists: [[StoredValue]] = [
        (0..<1_000).map { .integer($0) }, (0..<1_000).map { .text("rung \($0)") },
        (0..<1_000).map { .text("\u{0}\($0)") }, [.text("rung 3"), .text("rung 5")],
        [.blob([3])], (0..<200).map { .real(Double($0) + 0.5) },
    ]

    /// Returns a filter that is true for the listed names, and filters that contain it.
    private static func filters(_ values: ValueList) throws -> [Filter.Node] {
        let rung = FilterProxy<Rung>()
        let name = rung.name == ""
        let member = rung.lower.any { $0.name == "" }
        guard case .compare(let path, _, _, _) = name.node,
            case .quantified(let quantifier, let relation, .compare(let inner, _, _, _)) = member
                .node
        else { throw CocoaError(.featureUnsupported) }
        let among = Filter.Node.among(path, values, [])
        return [
            among, .not(among), .and(among, .isNull(path)), .or(.isNull(path), .not(among)),
            .quantified(quantifier, relation, .among(inner, values, [])),
        ]
    }

    @Test(arguments: lists.indices, 0..<5)
    func `a store releases the values of a filter after the request`(
        list: Int, place: Int
    ) throws {
        let ladder = try Ladder()
        weak var kept: ValueList?
        try {
            let values = ValueList(Self.lists[list])
            kept = values
            let filter = Filter(try Self.filters(values)[place])
            let request = FetchRequest<Rung>(filter: filter)
            _ = try ladder.stored.find(request)
            _ = try ladder.stored.count(request)
            _ = try ladder.stored.exists(request)
            _ = try Rung.values(of: { $0.number }, in: ladder.stored) { _ in filter }
            #expect(kept != nil)
        }()
        #expect(kept == nil)
    }
}
