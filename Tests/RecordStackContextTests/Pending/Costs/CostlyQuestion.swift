import FoundationEssentials
import RecordStack
import Testing

/// A request whose cost must not depend on the number of unsaved objects.
struct CostlyQuestion: CustomTestStringConvertible, Sendable {
    let name: String
    let ask: @Sendable (ManagedObjectContext, Int) throws -> Void

    var testDescription: String { name }

    init(
        _ name: String, _ ask: @escaping @Sendable (ManagedObjectContext, Int) throws -> Void
    ) {
        self.name = name
        self.ask = ask
    }

    /// All requests. Each finds few objects, and the number varies with each call.
    static let all: [CostlyQuestion] = [
        CostlyQuestion("find by an equal value") { context, _ in
            _ = try Shipment.find(in: context) { $0.bucket == 7 }
        },
        CostlyQuestion("find by another value each time") { context, number in
            _ = try Shipment.find(in: context) { $0.bucket == number }
        },
        CostlyQuestion("find by one of some values and a condition") { context, _ in
            _ = try Shipment.find(in: context) { $0.bucket.isIn([3, 7]) && $0.weight > 2 }
        },
        CostlyQuestion("findFirst by a filter that no index serves") { context, _ in
            _ = try Shipment.findFirst(in: context) { $0.weight < 0 }
        },
        CostlyQuestion("find in order, the first ten") { context, _ in
            _ = try Shipment.find(sortedBy: .descending(\.weight), limit: 10, in: context)
        },
        CostlyQuestion("findFirst(by:)") { context, number in
            _ = try Shipment.findFirst(by: \.code, "new \(number)", in: context)
        },
        CostlyQuestion("findFirstOrCreate") { context, number in
            try Shipment.findFirstOrCreate(by: \.code, "another \(number)", in: context).bucket = 1
        },
        CostlyQuestion("count all") { context, _ in _ = try Shipment.count(in: context) },
        CostlyQuestion("count by an equal value") { context, _ in
            _ = try Shipment.count(in: context) { $0.bucket == 7 }
        },
        CostlyQuestion("count by a filter that no index serves") { context, _ in
            _ = try Shipment.count(in: context) { $0.weight > 5 }
        },
        CostlyQuestion("exists") { context, _ in
            _ = try Shipment.exists(in: context) { $0.bucket == -1 }
        },
        CostlyQuestion("a page by number") { context, _ in
            _ = try context.page(1, size: 5, of: Shipment.all)
        },
        CostlyQuestion("a page by key") { context, _ in
            let first = try context.page(
                after: nil, size: 5, of: Shipment.all.sorted(by: .ascending(\.weight)))
            _ = try context.page(
                after: first.next, size: 5, of: Shipment.all.sorted(by: .ascending(\.weight)))
        },
        CostlyQuestion("values") { context, _ in
            _ = try context.values(of: { $0.weight }, for: Shipment.where { $0.bucket == 7 })
        },
        CostlyQuestion("a sum") { context, _ in
            _ = try context.sum(of: \.weight, for: Shipment.where { $0.bucket == 7 })
        },
        CostlyQuestion("IDs") { context, _ in
            _ = try context.objectIDs(Shipment.where { $0.bucket == 7 })
        },
        CostlyQuestion("lazy results") { context, _ in
            _ = try context.findLazily(Shipment.where { $0.bucket == 7 }).count
        },
        CostlyQuestion("members") { context, _ in
            _ = try Depot.findFirst(by: \.number, 1, in: context)?.shipments.count
        },
        CostlyQuestion("find behind a relationship") { context, _ in
            _ = try Shipment.find(in: context) { $0.depot.number == 1 }
        },
        CostlyQuestion("count behind a relationship and by a condition") { context, _ in
            _ = try Shipment.count(in: context) { $0.depot.number == 1 && $0.weight > 1_003 }
        },
        CostlyQuestion("find by a condition on members") { context, _ in
            _ = try Depot.find(in: context) { $0.shipments.any { $0.bucket == 1_004 } }
        },
        CostlyQuestion("upsert of one row") { context, number in
            try Shipment.upsert([number], by: \.code, key: { "row \($0)" }, in: context) {
                $0.code = "row \($1)"
                _ = $2
            }
        },
        CostlyQuestion("import of one row") { context, number in
            try Shipment.importJSON(Data(#"[{"code": "text \#(number)"}]"#.utf8), in: context)
        },
        CostlyQuestion("deletion of one with a cascade") { context, number in
            try Depot.findFirst(by: \.number, number + 100, in: context)?.delete()
        },
    ]
}
