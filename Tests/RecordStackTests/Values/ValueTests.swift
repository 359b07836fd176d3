import FoundationEssentials
import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

@Entity final class Invoice: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute var amount: Int?
    @Attribute var price: Decimal = 0
    @Attribute var weight: Double = 0
    @Attribute var city: String = ""
    @Attribute var due: Date?
    @Relationship(inverse: \Payer.invoices) var payer: Payer?
    /// A computed value, which is no property of the entity.
    var wrong: Int? { amount }
}

@Entity final class Payer: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship var invoices: ToMany<Invoice>
}

/// Sums, lists, groups and other values that need no objects.
@Suite("Values instead of objects") struct ValueTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Invoice.self, Payer.self) { context in
            let ann = try Payer.create(in: context, name: "ann")
            for number in 1...6 {
                let invoice = try Invoice.create(in: context, number: number)
                invoice.amount = number == 6 ? nil : number * 10
                invoice.price = Decimal(number) / 10
                invoice.weight = number == 1 ? 1e100 : number == 2 ? -1e100 : 0.1
                invoice.city = number % 2 == 0 ? "Oslo" : "Bonn"
                invoice.payer = number < 4 ? ann : nil
            }
        }
        context = test.stack.newContext()
    }

    @Test func `sum, average, min, max and count compute one value of all objects`() throws {
        #expect(try Invoice.sum(of: \.amount, in: context) == 150)
        #expect(try Invoice.sum(of: { $0.amount * 2 }, in: context) { $0.city == "Oslo" } == 120)
        #expect(try Invoice.sum(of: \.price, in: context) == Decimal(string: "2.1"))
        #expect(try Invoice.average(of: \.amount, in: context) == 30)
        #expect(try Invoice.min(of: \.amount, in: context) == 10)
        #expect(try Invoice.max(of: \.amount, in: context) == 50)
        #expect(try Invoice.max(of: \.city, in: context) == "Oslo")
        #expect(try Invoice.max(of: \.payer.name, in: context) == "ann")
        #expect(try Invoice.count(distinct: \.city, in: context) == 2)
        #expect(try Payer.sum(of: { $0.invoices.count }, in: context) == 3)
    }

    @Test func `a sum of real numbers is rounded once`() throws {
        #expect(try Invoice.sum(of: \.weight, in: context) == 0.4)
    }

    @Test func `a sum over no objects is 0, and the other aggregates are nil`() throws {
        for context in [context, context.newChild()] {
            let none = Invoice.where { $0.number > 100 }
            #expect(try context.sum(of: \.amount, for: none) == 0)
            #expect(try context.sum(of: \.price, for: none) == 0)
            #expect(try context.average(of: \.amount, for: none) == nil)
            #expect(try context.min(of: \.amount, for: none) == nil)
            #expect(try context.max(of: \.due, for: none) == nil)
            #expect(try context.count(distinct: \.city, for: none) == 0)
            #expect(try context.values(of: \.city, for: none).isEmpty)
            #expect(try context.groups(by: \.city, of: none) { group, _ in group.count }.isEmpty)
            try Invoice.create(in: context, number: 50)
        }
    }

    @Test func `an integer sum that overflows throws with advice`() throws {
        for invoice in try Invoice.find(limit: 2, in: context) { invoice.amount = .max }
        for _ in 0..<2 {
            let error = #expect(throws: RecordStackError.self) {
                try Invoice.sum(of: \.amount, in: context)
            }
            #expect(error?.code == .misuse && error?.message.contains(".asDouble") == true)
            #expect(try Invoice.sum(of: \.amount.asDouble, in: context) > 1e19)
            try context.saveAndWait()
        }
    }

    @Test func `values of an attribute come in the request's sort order`() throws {
        let names = try Invoice.values(
            of: \.city, distinct: true, sortedBy: .descending(\.number), in: context)
        #expect(names == ["Oslo", "Bonn"])
        #expect(
            try Invoice.values(of: \.amount, sortedBy: .descending(\.number), limit: 3, in: context)
                == [nil, 50, 40])
        // An invoice without a payer has no name. Requested as an optional, the name is nil.
        #expect(try Invoice.values(of: \.payer.name, in: context) == ["ann", "ann", "ann"])
        #expect(
            try Invoice.values(of: \.payer.name.optional, limit: 4, in: context)
                == ["ann", "ann", "ann", nil])
    }

    @Test func `rows(of:) returns a tuple per object and throws if a value is missing`() throws {
        let rows = try Invoice.rows(
            of: { ($0.number, $0.price * 10, $0.payer.name.optional) }, limit: 4, in: context)
        #expect(rows.map(\.0) == [1, 2, 3, 4] && rows.map(\.1) == [1, 2, 3, 4])
        #expect(rows.map(\.2) == ["ann", "ann", "ann", nil])
        let error = #expect(throws: RecordStackError.self) {
            try Invoice.rows(of: { ($0.number, $0.payer.name) }, in: context)
        }
        #expect(error?.message.contains(".optional") == true)
    }

    @Test func `groups come in the order of their keys, as tuples or structs`() throws {
        struct Line: Equatable {
            let city: String
            let count: Int
            let total: Int
        }
        let lines = try Invoice.groups(by: \.city, in: context) { group, city in
            (city, group.count, group.sum { $0.amount })
        }.map(Line.init)
        #expect(
            lines == [
                Line(city: "Bonn", count: 3, total: 90), Line(city: "Oslo", count: 3, total: 60),
            ])
        let dear = try Invoice.groups(
            by: \.city, in: context, where: { $0.amount > 10 }, having: { $0.count > 1 }
        ) { group, city in (city, group.count) }
        #expect(dear.map(\.0) == ["Bonn", "Oslo"] && dear.map(\.1) == [2, 2])
        let rows = try context.groups(
            by: { ($0.payer.name.optional, $0.city) }, of: Invoice.where { $0.number != 2 },
            having: { $0.count > 1 }
        ) { group, payer, city in
            (payer, city, group.min { $0.amount }, group.average { $0.amount })
        }
        // Invoices 4 and 6 have no payer and are in Oslo. Invoices 1 and 3 are Ann's in Bonn.
        #expect(rows.map(\.0) == [nil, "ann"] && rows.map(\.1) == ["Oslo", "Bonn"])
        #expect(rows.map(\.2) == [40, 10] && rows.map(\.3) == [40, 20])
    }

    @Test func `values of groups can be used in arithmetic`() throws {
        let shares = try Invoice.groups(by: \.city, in: context) { group, _ in
            group.sum { $0.amount }.asDouble / group.count.asDouble
        }
        #expect(shares == [30, 20])
        let error = #expect(throws: RecordStackError.self) {
            try Invoice.groups(by: { $0.payer.name }, in: context) { ($1, $0.count) }
        }
        #expect(error?.message.contains(".optional") == true)
    }

    @Test func `groups can be sorted by their values and limited`() throws {
        for (number, city) in ["Bern", "Oslo", "Rome", "Rome"].enumerated() {
            let invoice = try Invoice.create(in: context, number: 10 + number)
            invoice.city = city
            invoice.amount = city == "Bern" ? nil : number
        }
        // Four invoices in Oslo, three in Bonn, two in Rome and one in Bern, stored and pending.
        let largest = try Invoice.groups(
            by: \.city, sortedBy: .descending { $0.count }, limit: 2, in: context
        ) { group, city in (city, group.count) }
        #expect(largest.map(\.0) == ["Oslo", "Bonn"] && largest.map(\.1) == [4, 3])
        func cities(
            _ keys: GroupSortKey<Invoice>..., limit: Int? = nil, offset: Int = 0
        ) throws -> [String] {
            let rows = try context.groups(
                by: \.city, of: Invoice.all, having: { $0.count < 4 }, sortedBy: keys,
                limit: limit, offset: offset
            ) { group, city in (city, group.count) }
            return rows.map(\.0)
        }
        let most: GroupSortKey<Invoice> = .descending { $0.sum { $0.amount } }
        let least: GroupSortKey<Invoice> = .ascending { $0.min { $0.amount } }
        #expect(try cities(most, least) == ["Bonn", "Rome", "Bern"])
        #expect(try cities(least, most) == ["Bern", "Rome", "Bonn"])
        #expect(try cities(least, most, limit: 1, offset: 1) == ["Rome"])
        #expect(try cities(least, most, offset: 7).isEmpty && cities(least, most, limit: 0).isEmpty)
        let last: GroupSortKey<Invoice> = .ascending(nulls: .last) { $0.min { $0.amount } }
        #expect(try cities(last, most) == ["Rome", "Bonn", "Bern"])
        // Equal groups follow in the order of their keys.
        let isMany: GroupSortKey<Invoice> = .descending { $0.count / 3 }
        #expect(try cities(isMany, isMany) == ["Bonn", "Bern", "Rome"])
        let name: GroupSortKey<Invoice> = .descending(.caseInsensitive) { $0.max { $0.city } }
        #expect(try cities(name, most) == ["Rome", "Bonn", "Bern"])
    }

    @Test func `an attribute without an aggregate is refused as a group's value`() throws {
        let invoice = FilterProxy<Invoice>()
        func check<Result>(_ groups: () throws -> Result) {
            let error = #expect(throws: RecordStackError.self) { _ = try groups() }
            #expect(error?.code == .misuse && error?.message.contains("of a group") == true)
        }
        check {
            try Invoice.groups(by: \.city, in: context, having: { _ in invoice.city == "A" }) {
                ($1, $0.count)
            }
        }
        check { try Invoice.groups(by: \.city, in: context) { _, _ in invoice.amount } }
        check {
            try Invoice.groups(
                by: \.city, sortedBy: .ascending { _ in invoice.amount }, in: context
            ) { ($1, $0.count) }
        }
    }

    @Test func `an invalid order or limit of groups throws before anything is read`() throws {
        for sort in [false, true] {
            let statements = test.recorder.statements {
                let error = #expect(throws: RecordStackError.self) {
                    try Invoice.groups(
                        by: \.city,
                        sortedBy: .ascending { $0.sum { sort ? $0.wrong : $0.amount } },
                        limit: sort ? 1 : -1, in: context
                    ) { group, city in (city, group.count) }
                }
                #expect(error?.code == .misuse)
            }
            #expect(statements.isEmpty)
        }
    }

    @Test func `sums, values, groups and IDs each run one statement and load no object`() throws {
        let statements = try test.recorder.statements {
            _ = try Invoice.sum(of: \.amount, in: context)
            _ = try Invoice.values(of: \.city, in: context)
            _ = try Invoice.groups(by: \.city, in: context) { group, _ in group.count }
            _ = try Invoice.objectIDs(in: context)
        }
        #expect(statements.count == 4 && context.registeredObjectCount == 0)
    }

    @Test func `one(in:) returns the only match and throws for none or several`() throws {
        #expect(try Invoice.one(in: context) { $0.number == 3 }.amount == 30)
        let none = #expect(throws: RecordStackError.self) {
            try Invoice.one(in: context) { $0.number == 33 }
        }
        #expect(none?.code == .notFound && none?.entity == "Invoice")
        let many = #expect(throws: RecordStackError.self) {
            try Invoice.one(in: context) { $0.city == "Oslo" }
        }
        #expect(many?.code == .notUnique)
    }

    @Test func `objectIDs come in the request's order and include pending objects`() throws {
        let new = try Invoice.create(in: context, number: 0)
        let gone = try Invoice.one(in: context) { $0.number == 1 }
        try gone.delete()
        let ids = try Invoice.objectIDs(sortedBy: .ascending(\.number), in: context)
        #expect(ids.count == 6 && ids.first == new.objectID && !ids.contains(gone.objectID))
    }
}
