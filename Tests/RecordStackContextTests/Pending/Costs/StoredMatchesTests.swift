import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// The stored values of dirty objects that a context knows, so that SQLite need not check each of
/// their rows.
@Suite("Stored rows of dirty objects") struct StoredMatchesTests {
    private let test: TestStack
    private let context: ManagedObjectContext
    private let all: [Shipment]

    /// Creates 1,000 shipments, which go into ten buckets in turn.
    init() throws {
        test = try TestStack(for: Shipment.self, Depot.self)
        try test.stack.saveWithBlockAndWait { context in
            for number in 0..<1_000 {
                let shipment = try Shipment.create(in: context, code: "stored \(number)")
                shipment.bucket = number % 10
                shipment.weight = number
            }
        }
        context = test.stack.newContext()
        all = try Shipment.find(sortedBy: .ascending(\.weight), in: context)
    }

    private func usesFunction(_ explanation: RequestExplanation) -> Bool {
        explanation.sql.contains("RECORDSTACK_")
    }

    /// Makes a request in every way, and compares the results with the objects.
    private func check(_ bucket: Int, _ comment: Comment) throws {
        let request = Shipment.where { $0.bucket == bucket }
        let wanted = try Shipment.find(in: context).filter { $0.bucket == bucket }
        #expect(try context.count(request) == wanted.count, comment)
        #expect(try context.find(request).map(\.code) == wanted.map(\.code), comment)
        for (offset, limit) in [(0, 1), (0, 10), (0, 90), (5, 5), (60, 20), (95, 30), (200, 5)] {
            let found = try context.find(request.limited(to: limit).offset(by: offset))
            let expected = wanted.dropFirst(offset).prefix(limit)
            #expect(found.map(\.code) == expected.map(\.code), "\(comment), \(offset), \(limit)")
        }
    }

    @Test func `a count corrects SQL's result for changed rows without an SQL function`() throws {
        for shipment in all where shipment.bucket == 3 {
            if shipment.weight % 20 == 3 { shipment.bucket = 4 } else { shipment.depot = nil }
            shipment.weight += 1
        }
        for shipment in all.prefix(300) { shipment.weight += 1 }
        try Shipment.create(in: context, code: "new").bucket = 3
        try all[13].delete()
        try check(3, "left by half")
        try check(4, "entered by half")
        let request = Shipment.where { $0.bucket == 3 }
        let before = context.statistics
        #expect(try context.count(request) == 50)
        #expect((context.statistics - before).statements == 1)
        #expect((context.statistics - before).objectsJudged == 0)
        let explanation = try context.explain(countOf: request)
        #expect(explanation.pending?.omission == .subtraction)
        #expect(!usesFunction(explanation))
    }

    @Test func `a count is exact if changed rows are related to changed objects`() throws {
        let depot = try Depot.create(in: context, number: 1)
        for shipment in all.prefix(5) { shipment.depot = depot }
        try context.saveAndWait()
        // All shipments of the changed depot are changed, too. So none of the depot's rows is
        // evaluated in memory.
        depot.number = 2
        for shipment in all.prefix(5) { shipment.bucket = 3 }
        let request = Shipment.where { $0.bucket == 3 }.sorted(by: .ascending { $0.depot.number })
        #expect(try context.count(request) == 104)
        #expect(try context.find(request.limited(to: 4).offset(by: 102)).count == 2)
        for shipment in all.prefix(5) { shipment.bucket = 99 }
        #expect(try context.count(request) == 99)
        #expect(try context.find(request.limited(to: 200)).count == 99)
    }

    @Test func `a repeated count calls no SQL function to exclude changed rows`() throws {
        for shipment in all.prefix(300) { shipment.bucket = 99 }
        let request = Shipment.where { $0.bucket < 50 }
        for round in 0..<5 {
            #expect(try context.count(request) == 700)
            // Each round makes the request twice. From the third request on, the matches are known.
            #expect(usesFunction(try context.explain(countOf: request)) == (round == 0))
            all[round].bucket += 1
        }
    }

    @Test func `findFirst skips many changed rows without reading them`() throws {
        let sorted = try Shipment.find(sortedBy: .ascending(\.bucket), in: context)
        for shipment in sorted.prefix(250) { shipment.bucket = 99 }
        let request = Shipment.where { $0.bucket < 50 }.sorted(by: .ascending(\.bucket))
        for round in 250..<300 {
            #expect(try context.findFirst(request)?.code == sorted[round].code)
            sorted[round].bucket = 99
        }
        let before = context.statistics
        #expect(try context.findFirst(request)?.code == sorted[300].code)
        let cost = context.statistics - before
        // It reads the last row that left and the next row, which has another bucket.
        #expect(cost.statements == 2 && cost.rowsRead <= 2)
        let explanation = try context.explain(request.limited(to: 1))
        #expect(explanation.pending?.omission == .declining && !usesFunction(explanation))
        // A row that stayed comes before all others.
        sorted[0].bucket = 0
        #expect(try context.findFirst(request)?.code == sorted[0].code)
        sorted[0].bucket = 99
        try test.stack.saveWithBlockAndWait { context in
            try Shipment.create(in: context, code: "other").bucket = -1
        }
        #expect(try context.findFirst(request)?.code == "other")
    }

    @Test func `a repeated find reads none of the rows that edits excluded from it`() throws {
        let sorted = try Shipment.find(sortedBy: .ascending(\.bucket), in: context)
        for shipment in sorted.prefix(250) { shipment.bucket = 99 }
        let request = Shipment.where { $0.bucket < 50 }.sorted(by: .ascending(\.bucket))
            .limited(to: 3)
        for _ in 0..<4 {
            #expect(try context.find(request).map(\.code) == sorted[250..<253].map(\.code))
        }
        // The request begins at a key, so SQLite visits no row that left.
        let explanation = try context.explain(request)
        #expect(explanation.sql.contains("\"_key\" > ?"), "\(explanation.sql)")
        // One of the rows that left matches again.
        sorted[100].bucket = 1
        #expect(try context.find(request).first === sorted[100])
        try context.refresh(sorted[100], mergingChanges: false)
        #expect(try context.find(request).first === sorted[100])
        for _ in 0..<4 {
            #expect(
                try context.find(request).map(\.code)
                    == [sorted[100].code] + sorted[250..<252].map(\.code))
        }
        context.rollback()
        #expect(try context.find(request).map(\.code) == sorted.prefix(3).map(\.code))
    }

    @Test(arguments: [
        Shipment.all, Shipment.where { $0.bucket < 5 },
        Shipment.where { $0.bucket < 5 }.sorted(by: .ascending(\.weight)),
        Shipment.all.sorted(by: .descending(\.bucket)),
    ])
    func `deleting each first result in a loop reads each row about once`(
        _ request: FetchRequest<Shipment>
    ) throws {
        let context = test.stack.newContext()
        let wanted = try context.find(request).map(\.code)
        var costs: [ContextStatistics] = []
        var last = context.statistics
        var found: [String] = []
        while let shipment = try context.findFirst(request) {
            found.append(shipment.code)
            try shipment.delete()
            if found.count.isMultiple(of: 100) {
                costs.append(context.statistics - last)
                last = context.statistics
            }
        }
        #expect(found == wanted)
        for cost in costs.dropFirst() {
            #expect(cost.statements <= 200, "\(cost)")
            #expect(cost.rowsRead <= 300, "\(cost)")
        }
    }

    @Test func `a repeated find returns another program's row that sorts before all`() throws {
        let folder = try TemporaryFolder("front")
        let file = folder.file("front.sqlite")
        let stack = try ContextStack(for: Shipment.self, Depot.self, at: .file(file))
        let context = stack.newContext()
        for number in 0..<300 {
            try Shipment.create(in: context, code: "\(number)").bucket = number / 100
        }
        try context.saveAndWait()
        let all = try Shipment.find(sortedBy: .ascending(\.bucket), in: context)
        for shipment in all.prefix(150) { shipment.bucket = 99 }
        let request = Shipment.where { $0.bucket < 50 }.sorted(by: .ascending(\.bucket))
        for _ in 0..<4 { #expect(try context.findFirst(request) === all[150]) }
        let program = try ForeignProgram(path: file)
        try program.run(
            "INSERT INTO Shipment (_key, _version, code, bucket, weight) VALUES (9999, 1, 'x', -1, 0)"
        )
        #expect(try context.findFirst(request)?.code == "x")
        try stack.close()
    }

    @Test func `requests reflect another context's save of rows with unsaved edits`() throws {
        for shipment in all where shipment.bucket == 5 { shipment.bucket = 6 }
        try check(5, "all left")
        try test.stack.saveWithBlockAndWait { context in
            for shipment in try Shipment.find(in: context) {
                if shipment.weight % 50 == 5 { shipment.bucket = 7 }
                if shipment.weight % 50 == 15 { shipment.weight += 1 }
                if shipment.weight % 50 == 25 { try shipment.delete() }
            }
        }
        for bucket in 5...7 { try check(bucket, "after others' save") }
        context.rollback()
        for bucket in 5...7 { try check(bucket, "after a rollback") }
    }

    @Test func `a count stays correct when another save changes an edited property`() throws {
        for shipment in all where shipment.bucket == 5 { shipment.bucket = 6 }
        let request = Shipment.where { $0.bucket != 7 }
        for _ in 0..<4 { #expect(try context.count(request) == 900) }
        try test.stack.saveWithBlockAndWait { context in
            let shipments = try Shipment.find(in: context) { $0.bucket == 5 }
            for shipment in shipments where shipment.weight % 50 == 5 { shipment.bucket = 7 }
        }
        #expect(try context.count(request) == 900)
        #expect(try context.find(request.limited(to: 2_000)).count == 900)
    }

    @Test func `requests omit rows that a delete rule deletes, loaded or not`() throws {
        try test.stack.saveWithBlockAndWait { context in
            let depot = try Depot.create(in: context, number: 1)
            for shipment in try Shipment.find(in: context) where shipment.bucket < 2 {
                shipment.depot = depot
            }
        }
        let context = test.stack.newContext()
        try #require(try Depot.findFirst(by: \.number, 1, in: context)).delete()
        for bucket in 0..<3 {
            let request = Shipment.where { $0.bucket == bucket }
            let count = bucket < 2 ? 0 : 100
            #expect(try context.count(request) == count)
            #expect(try context.find(request.limited(to: 1_000)).count == count)
            #expect(try context.exists(request) == (count > 0))
        }
    }

    @Test func `a count's SQL excludes no stored rows if all unsaved objects are new`() throws {
        for number in 0..<10 {
            try Shipment.create(in: context, code: "new \(number)").bucket = 3
        }
        let request = Shipment.where { $0.bucket == 3 }
        #expect(try context.count(request) == 110)
        let explanation = try context.explain(countOf: request)
        #expect(explanation.pending?.omission == nil && !usesFunction(explanation))
    }

    @Test func `counts include unsaved edits before a save and further edits after it`() throws {
        for shipment in all where shipment.bucket == 8 { shipment.bucket = 9 }
        try check(8, "before the save")
        try context.saveAndWait()
        try check(8, "after the save")
        try check(9, "after the save")
        for shipment in all.prefix(100) { shipment.bucket = 8 }
        try check(8, "after more changes")
    }
}
