import FoundationEssentials
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Values of the wrong kind that another program has written. Returning them or calculating with
/// them must throw `corrupt`.
@Suite("Wrong values in files") struct WrongValueTests {
    private static let notUTF8 = "CAST(x'61FF' AS TEXT)"

    /// SQL values that are wrong for each attribute.
    private static let wrong: [(column: String, values: [String])] = [
        ("flag", ["2", "-1", "'yes'", "x'01'", "0.5", "9223372036854775807"]),
        ("whole", ["'abc'", "x'00'", "1.5", "1e300", "''"]),
        ("tiny", ["128", "-129", "'a'", "x'0000000000000001'", "0.5"]),
        ("large", ["-1", "x'00'", "x'0000000000000001'", "'a'", "0.5"]),
        ("real", ["'abc'", "x'00'", "''"]),
        ("single", ["'abc'", "x'00'", "1e300", "-1e300"]),
        ("text", ["x'41'", notUTF8, "CAST(x'F09F98' AS TEXT)", "CAST(x'EDA080' AS TEXT)"]),
        ("date", ["'2014-01-01'", "x'00'"]),
        ("data", ["'abc'", "5", "1.5"]),
        ("uuid", ["x'00'", "'text'", "5", "zeroblob(17)"]),
        ("url", ["x'00'", notUTF8, "''"]),
        (
            "price",
            [
                "'abc'", "'1.0'", "'01'", "'1e5'", "'+1'", "' 1'", "'-0'", "'NaN'", "x'31'",
                notUTF8, "''",
                "'123456789012345678901234567890123456789012345'",
                "'0.\(String(repeating: "1", count: 60))'",
                "'1\(String(repeating: "0", count: 400))'",
            ]
        ),
        ("list", ["'abc'", "'{'", "'[1'", "'[\"a\"]'", "x'5B5D'", "''", notUTF8]),
        ("mood", ["'furious'", "x'00'", "''", notUTF8]),
        ("maybe", ["'abc'", "x'00'", "1.5"]),
        ("maybePrice", ["'abc'", "'1.0'", "x'31'"]),
        ("rack", ["'abc'", "x'00'", "1.5"]),
    ]

    private static let cases = wrong.flatMap { row in row.values.map { (row.column, $0) } }

    private func crates(_ column: String, _ value: String) throws -> (TestStack, ManagedObjectID) {
        let test = try TestStack(for: Crate.self, Rack.self, Label.self, at: .temporaryFile)
        let id = try test.stack.saveWithBlockAndWait { context in
            let ids = try (1...3).map {
                try Crate.create(in: context, whole: $0, price: Decimal($0)).objectID
            }
            return ids[1]
        }
        try ForeignProgram(path: try #require(test.path)).run(
            "UPDATE Crate SET \(column) = \(value) WHERE _key = (SELECT _key FROM Crate ORDER BY _key "
                + "LIMIT 1 OFFSET 1)")
        return (test, id)
    }

    @Test(arguments: cases)
    func `reading a row with a value of the wrong type throws corrupt`(
        column: String, value: String
    ) async throws {
        let (test, id) = try crates(column, value)
        typealias Read = (ManagedObjectContext) throws -> Void
        let reads: [(String, Read)] = [
            ("find", { _ = try Crate.find(in: $0) }),
            ("sorted find", { _ = try Crate.find(sortedBy: .descending(\.date), in: $0) }),
            ("page", { _ = try Crate.page(1, size: 10, in: $0) }),
            (
                "page by key",
                { _ = try Crate.page(after: nil, size: 10, sortedBy: .ascending(\.date), in: $0) }
            ),
            ("existing", { _ = try Crate.existing(id, in: $0) }),
            ("snapshots", { _ = try Crate.snapshots(in: $0) }),
            ("lazily", { _ = try Crate.findLazily(in: $0).map(\.whole) }),
            ("find of one", { _ = try Crate.find(in: $0) { $0.objectID == id } }),
        ]
        for (name, read) in reads {
            let error = #expect(throws: RecordStackError.self, "\(name)") {
                let context = test.stack.newContext()
                try read(context)
                // A property read cannot throw, so the next operation throws its error.
                _ = try Rack.find(in: context)
            }
            #expect(
                error?.code == .corrupt && error?.property == column && error?.objectID == id,
                "\(name): \(String(describing: error))")
        }
        #expect(try Crate.count(in: test.stack.newContext()) == 3)
        let problems = try await test.stack.integrityCheck()
        #expect(
            problems.contains {
                $0.kind == .wrongValue && $0.description.contains("\(id)")
                    && $0.description.contains(column)
            }, "\(problems)")
    }

    private typealias Total = (ManagedObjectContext) throws -> Void

    /// Returns calculations with the values of a column, and requests that return them.
    private static func totals(_ column: String) -> [(String, Total)] {
        func number<Value: SummableValue & Comparable>(
            _ path: @escaping (FilterProxy<Crate>) -> FilterExpression<Value>
        ) -> [(String, Total)] {
            [
                ("sum", { _ = try $0.sum(of: path, for: Crate.all) }),
                ("average", { _ = try $0.average(of: path, for: Crate.all) }),
                ("values", { _ = try $0.values(of: path, for: Crate.all) }),
                ("rows", { _ = try $0.rows(of: { (path($0), $0.date) }, for: Crate.all) }),
                (
                    "sum with pending objects",
                    {
                        try Crate.create(in: $0)
                        _ = try $0.sum(of: path, for: Crate.all)
                    }
                ),
                (
                    "sum of a group",
                    {
                        _ = try Crate.groups(by: \.date, in: $0) { crates, date in
                            (date, crates.sum(path))
                        }
                    }
                ),
            ]
        }
        func value<Value: AttributeValue>(
            _ path: @escaping (FilterProxy<Crate>) -> FilterExpression<Value>
        ) -> [(String, Total)] {
            [
                ("values", { _ = try $0.values(of: path, for: Crate.all) }),
                ("rows", { _ = try $0.rows(of: { (path($0), $0.date) }, for: Crate.all) }),
                (
                    "keys of groups",
                    {
                        let rows = try Crate.groups(by: { (path($0), $0.date) }, in: $0) {
                            crates, key, date in (key, date, crates.count)
                        }
                        #expect(rows.isEmpty)
                    }
                ),
            ]
        }
        switch column {
        case "flag": return value(\.flag)
        case "whole": return number(\.whole)
        case "tiny": return number(\.tiny)
        case "large": return value(\.large)
        case "real": return number(\.real)
        case "single": return number(\.single)
        case "text": return value(\.text)
        case "date": return value(\.date)
        case "data": return value(\.data)
        case "uuid": return value(\.uuid)
        case "url": return value(\.url)
        case "price": return number(\.price)
        case "list": return value(\.list)
        case "mood": return value(\.mood)
        default: return []
        }
    }

    @Test(arguments: cases.filter { !$0.0.hasPrefix("maybe") && $0.0 != "rack" })
    func `aggregating a value of the wrong type throws corrupt`(
        column: String, value: String
    ) throws {
        // A real that is too large for a Float is still a number that can be added.
        if column == "single", value.hasSuffix("1e300") { return }
        let (test, id) = try crates(column, value)
        let totals = Self.totals(column)
        #expect(!totals.isEmpty)
        for (name, total) in totals {
            let error = #expect(throws: RecordStackError.self, "\(name)") {
                try total(test.stack.newContext())
            }
            #expect(
                error?.code == .corrupt && error?.property == column && error?.objectID == id,
                "\(name) of \(column): \(String(describing: error))")
        }
    }

    @Test(
        arguments: cases.filter {
            ["whole", "tiny", "real", "text", "date", "price"].contains($0.0)
        })
    func `min and max of a column with a wrong value are right or throw corrupt`(
        column: String, value: String
    )
        throws
    {
        let (test, id) = try crates(column, value)
        let context = test.stack.newContext()
        func code(_ body: () throws -> Void) -> RecordStackError.Code? {
            do {
                try body()
                return nil
            } catch let error as RecordStackError {
                #expect(error.objectID == id, "\(error)")
                return error.code
            } catch {
                return .misuse
            }
        }
        func extremes<Value: AttributeValue & Comparable>(
            _ path: (FilterProxy<Crate>) -> FilterExpression<Value>
        ) -> [RecordStackError.Code?] {
            [
                code { _ = try context.max(of: path, for: Crate.all) },
                code { _ = try context.min(of: path, for: Crate.all) },
            ]
        }
        let codes =
            switch column {
            case "whole": extremes(\.whole)
            case "tiny": extremes(\.tiny)
            case "real": extremes(\.real)
            case "text": extremes(\.text)
            case "date": extremes(\.date)
            default: extremes(\.price)
            }
        #expect(codes.allSatisfy { $0 == nil || $0 == .corrupt }, "\(codes)")
        // A value between two right values is neither the minimum nor the maximum.
        if !["1.5", "0.5"].contains(value) { #expect(codes.contains(.corrupt), "\(codes)") }
    }

    @Test func `reading a row with null in a required attribute throws corrupt`() async throws {
        let test = try TestStack(for: Box.self, Chest.self, at: .temporaryFile)
        try await test.stack.saveWithBlock { _ = try Chest.create(in: $0, name: "a") }
        try ForeignProgram(path: #require(test.path)).run("UPDATE Box SET lock = NULL")
        let error = #expect(throws: RecordStackError.self) {
            try Box.find(in: test.stack.newContext())
        }
        #expect(error?.code == .corrupt && error?.property == "lock")
        let problems = try await test.stack.integrityCheck()
        #expect(problems.contains { $0.kind == .wrongValue && $0.description.contains("lock") })
    }

    @Test func `integrityCheck finds no wrong value in an intact store`() async throws {
        let test = try TestStack(for: Crate.self, Rack.self, Label.self, at: .temporaryFile)
        try await test.stack.saveWithBlock { context in
            let rack = try Rack.create(in: context)
            for number in 0..<10 {
                rack.crates.append(
                    try Crate.create(
                        in: context, flag: number > 5, whole: number, tiny: -128, large: .max,
                        real: 1e300,
                        single: .greatestFiniteMagnitude, text: "é\u{0}🙂", data: Data([255]),
                        price: Decimal(string: "-12345678901234567890.123456789012345678")!,
                        list: [1],
                        mood: .cross, maybe: nil))
            }
        }
        #expect(try await test.stack.integrityCheck() == [])
    }

    // MARK: Sums

    @Test func `a sum of decimals is exact or throws`() throws {
        let test = try TestStack(for: Crate.self, Rack.self, Label.self)
        var random = Seeded.fromEnvironment()
        for _ in 0..<Seeded.rounds(40, full: 2_000) {
            let context = test.stack.newContext()
            // Numbers of 20 to 38 digits with different exponents, so that some sums need more than
            // 38 digits.
            let parts = (0..<(2 + random.below(4))).map { _ -> (digits: String, zeros: Int) in
                let count = 20 + random.below(19)
                let digits = (0..<count).map { $0 == 0 ? "7" : "\(random.below(10))" }.joined()
                return (digits, random.below(30))
            }
            for part in parts {
                let text = part.digits + String(repeating: "0", count: part.zeros)
                try Crate.create(in: context, price: try #require(Decimal(string: text)))
            }
            let exact = parts.map { $0.digits + String(repeating: "0", count: $0.zeros) }.reduce(
                "0", Self.add)
            do {
                let sum = try context.sum(of: \.price, for: Crate.all)
                #expect("\(sum)" == exact, "seed \(random.seed)")
            } catch let error as RecordStackError {
                #expect(error.code == .misuse, "seed \(random.seed)")
                let significant = exact.reversed().drop { $0 == "0" }.count
                #expect(significant > 38, "\(exact), seed \(random.seed)")
            }
        }
    }

    /// Adds two numbers in decimal digits.
    private static func add(_ a: String, _ b: String) -> String {
        let width = max(a.count, b.count)
        func digits(_ text: String) -> [Int] {
            (String(repeating: "0", count: width - text.count) + text).map {
                $0.wholeNumberValue ?? 0
            }
        }
        var (carry, result) = (0, "")
        for (x, y) in zip(digits(a), digits(b)).reversed() {
            result = "\((x + y + carry) % 10)" + result
            carry = (x + y + carry) / 10
        }
        return (carry > 0 ? "\(carry)" : "") + result.drop { $0 == "0" && carry == 0 }
    }

    @Test func `a sum of decimals that needs 39 digits throws misuse`() throws {
        let test = try TestStack(for: Crate.self, Rack.self, Label.self, at: .temporaryFile)
        try test.stack.saveWithBlockAndWait { context in
            for text in ["99999999999999999999999999999999999999", "0.1"] {
                try Crate.create(in: context, price: try #require(Decimal(string: text)))
            }
        }
        let context = test.stack.newContext()
        let error = #expect(throws: RecordStackError.self) {
            try context.sum(of: \.price, for: Crate.all)
        }
        #expect(error?.code == .misuse && error?.message.contains("asDouble") == true)
        #expect(try context.sum(of: { $0.price.asDouble }, for: Crate.all) == 1e38)
    }

    // MARK: Batch updates

    @Test(arguments: ["null", "too large", "not of the type", "of a rule"])
    func `a batch update that breaks a rule throws a validation error`(what: String) throws {
        let test = try TestStack(for: Priced.self, at: .temporaryFile)
        try test.stack.saveWithBlockAndWait { context in
            _ = try Priced.create(
                in: context, price: try #require(Decimal(string: "1e120")), count: 200, rank: 3)
        }
        let error = #expect(throws: RecordStackError.self) {
            switch what {
            case "null":
                try test.stack.updateAndWait(Priced.all) {
                    $0.rank.set(to: $0.rank / ($0.rank - 3))
                }
            case "too large":
                try test.stack.updateAndWait(Priced.all) { $0.price *= Decimal(string: "1e120")! }
            case "not of the type": try test.stack.updateAndWait(Priced.all) { $0.count += 100 }
            default: try test.stack.updateAndWait(Priced.all) { $0.rank += 100 }
            }
        }
        #expect(error?.code == .validation, "\(String(describing: error))")
        #expect(error?.property != nil)
        let context = test.stack.newContext()
        #expect(try Priced.find(in: context).map(\.rank) == [3])
    }
}

@Entity final class Priced: ManagedObject {
    @Attribute var price: Decimal = 0
    @Attribute var count: UInt8 = 0
    @Attribute(.range(0...10)) var rank: Int = 0
}
