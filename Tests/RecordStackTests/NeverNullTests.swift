import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

@Entity final class Gauge: ManagedObject {
    @Attribute(.indexed) var level: Int
    @Attribute(.indexed) var label: String
    @Attribute(.indexed) var spare: Int?
    @Relationship(inverse: \Gauge.followers) var leader: Gauge?
    @Relationship var followers: ToMany<Gauge>
}

/// Negated conditions, which are true for null. SQL checks for null only where a value can be null.
@Suite("Null checks in SQL") struct NeverNullTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Gauge.self, at: .temporaryFile) { context in
            var last: Gauge?
            for level in 0..<8 {
                let gauge = try Gauge.create(in: context, level: level, label: "g\(level)")
                gauge.spare = level % 2 == 0 ? level : nil
                gauge.leader = last
                last = gauge
            }
        }
        context = test.stack.newContext()
    }

    private func explain(_ request: FetchRequest<Gauge>) throws -> RequestExplanation {
        try context.explain(request)
    }

    private func levels(_ condition: (FilterProxy<Gauge>) -> Filter) throws -> [Int] {
        try Gauge.find(sortedBy: .ascending(\.level), in: context, where: condition).map(\.level)
    }

    @Test func `a negated comparison of a required attribute uses its index`() throws {
        let explanation = try explain(
            Gauge.where { !($0.level > 2) }.sorted(by: .ascending(\.level)))
        #expect(explanation.sql.contains(#"WHERE t0."level" <= ? ORDER"#))
        #expect(
            explanation.plan.contains {
                $0.hasPrefix("SEARCH t0 USING INDEX") && $0.contains("(level<?)")
            }, "\(explanation)")
        #expect(try levels { !($0.level > 2) } == [0, 1, 2])
        let prefix = try context.explain(
            valuesOf: \.label, for: Gauge.where { !$0.label.hasPrefix("g") })
        #expect(!prefix.sql.contains("IS NULL"))
        #expect(try levels { !$0.label.hasPrefix("g") } == [])
    }

    @Test func `a comparison of a required attribute has no null check in SQL`() throws {
        for request in [
            Gauge.where { $0.level != 3 }, Gauge.where { !($0.level == 3) },
            Gauge.where { !$0.level.isIn([3, 4]) }, Gauge.where { !$0.label.isIn(["g3"]) },
            Gauge.where { !$0.label.like("g*") }, Gauge.where { $0.label != "g3" },
            Gauge.where { $0.followers.all { $0.level < 7 } },
        ] {
            let sql = try explain(request).sql
            #expect(!sql.contains("IS NULL"), "\(sql)")
        }
        #expect(try levels { !$0.level.isIn([3, 4]) && $0.label != "g0" } == [1, 2, 5, 6, 7])
        #expect(try levels { $0.followers.all { $0.level < 7 } } == [0, 1, 2, 3, 4, 5, 7])
    }

    @Test func `the SQL of a negated comparison has IS NULL if the value can be null`() throws {
        for request in [
            Gauge.where { $0.spare != 2 }, Gauge.where { !($0.spare > 2) },
            Gauge.where { !$0.spare.isIn([2]) }, Gauge.where { !($0.leader.level > 2) },
            Gauge.where { $0.leader.label != "g3" },
            Gauge.where { !$0.leader.label.hasPrefix("g") },
            Gauge.where { $0.followers.all { $0.leader.level < 7 } },
        ] {
            let sql = try explain(request).sql
            #expect(sql.contains("IS NULL"), "\(sql)")
        }
        #expect(try levels { !($0.spare > 2) } == [0, 1, 2, 3, 5, 7])
        #expect(try levels { !($0.leader.level > 2) } == [0, 1, 2, 3])
        #expect(try levels { !$0.leader.label.hasPrefix("g") } == [0])
    }

    @Test func `the SQL of a negated comparison of a subentity's attribute has IS NULL`() throws {
        let test = try TestStack(for: Animal.self, Dog.self)
        let context = test.stack.newContext()
        #expect(
            try !context.explain(Dog.where { !($0.legs > 3) }).sql.contains("IS NULL"))
        #expect(try context.explain(Dog.where { !$0.isTrained }).sql.contains("IS NULL"))
    }
}
