import Foundation
import RecordStack
import RecordStackTesting

/// An entity whose objects form a chain: each rung refers to the rung above it.
@Entity final class Rung: ManagedObject {
    @Attribute(.indexed) var name: String
    @Attribute var number: Int
    @Attribute var share: Double
    @Attribute var price: Decimal
    @Attribute var data: Data
    @Relationship(inverse: \Rung.lower) var upper: Rung?
    @Relationship var lower: ToMany<Rung>
    @Relationship(.symmetric) var others: ToMany<Rung>
}

/// Forty stored rungs, each above the next.
struct Ladder {
    static let count = 40
    private let stack: TestStack
    /// A context without unsaved changes.
    let stored: ManagedObjectContext
    /// A context in which the last stored rung is changed, and a new rung is below it.
    let mixed: ManagedObjectContext

    init() throws {
        stack = try TestStack(for: Rung.self) { context in
            _ = try Self.rungs(0..<Self.count, below: nil, in: context)
        }
        stored = stack.stack.newContext()
        mixed = stack.stack.newContext()
        let last = try mixed.find(Rung.where { $0.number == Self.count - 1 })[0]
        last.share += 1
        _ = try Self.rungs(Self.count..<(Self.count + 1), below: last, in: mixed)
    }

    private static func rungs(
        _ numbers: Range<Int>, below first: Rung?, in context: ManagedObjectContext
    ) throws -> Rung? {
        var upper = first
        for number in numbers {
            let rung = try context.create(Rung.self)
            (rung.name, rung.number, rung.share) = ("rung \(number)", number, Double(number) / 2)
            (rung.price, rung.data) = (Decimal(number), Data([UInt8(number)]))
            rung.upper = upper
            if let upper { rung.others.insert(upper) }
            upper = rung
        }
        return upper
    }

    static func numbers(
        _ filter: Filter, in context: ManagedObjectContext
    ) throws -> [Int] {
        try context.find(FetchRequest<Rung>(filter: filter)).map(\.number).sorted()
    }
}
