import RecordStack
import RecordStackTesting
import Testing

/// The cost of a request in a dirty context: it depends on the changes since the last request and
/// on the number of results.
@Suite("Costs of requests") struct QuestionCostTests {
    /// Creates a context with `count` changed and `count` new shipments.
    private func context(changed count: Int) throws -> (TestStack, ManagedObjectContext) {
        let test = try TestStack(for: Shipment.self, Depot.self)
        try test.stack.saveWithBlockAndWait { context in
            let depots = try (0..<120).map { try Depot.create(in: context, number: $0) }
            for number in 0..<count {
                let shipment = try Shipment.create(in: context, code: "stored \(number)")
                shipment.bucket = number + 1_000
                shipment.weight = number + 1_000
                if number < 7 { shipment.depot = depots[1] }
            }
        }
        let context = test.stack.newContext()
        for shipment in try Shipment.find(in: context) { shipment.weight += 1 }
        for number in 0..<count {
            let shipment = try Shipment.create(in: context, code: "new \(number)")
            shipment.bucket = number < 3 ? 7 : number + 1_000
            shipment.weight = number + 10
        }
        return (test, context)
    }

    private func cost(of question: CostlyQuestion, changed count: Int) throws -> [Int] {
        let (test, context) = try context(changed: count)
        // Keeps the depots registered, because the release of an unreferenced object depends on
        // time.
        let held = try Depot.find(in: context)
        // The first request builds the indexes.
        for number in 0..<3 { try question.ask(context, number) }
        let edited = try #require(try Shipment.findFirst(by: \.code, "new 0", in: context))
        let before = context.statistics
        for number in 3..<8 {
            edited.weight += 1
            try question.ask(context, number)
        }
        let cost = context.statistics - before
        withExtendedLifetime((test, held)) {}
        return [cost.objectsJudged, cost.statements, cost.rowsRead, cost.faultsLoaded]
    }

    @Test(arguments: CostlyQuestion.all)
    func `a request costs no more with 2,000 unsaved objects than with 20`(
        _ question: CostlyQuestion
    ) throws {
        let few = try cost(of: question, changed: 20)
        let many = try cost(of: question, changed: 2_000)
        // After many rows have left the result, these two requests begin at a key and skip no rows.
        if ["find in order, the first ten", "a page by key"].contains(question.name) {
            #expect(zip(few, many).allSatisfy { $0 >= $1 }, "\(few), \(many)")
        } else {
            #expect(few == many)
        }
        // Five requests, each after one edit.
        #expect(many[0] <= 5 * 12 && many[1] <= 5 * 8)
    }

    @Test func `a repeated count evaluates no unsaved object again`() throws {
        let (test, context) = try context(changed: 100)
        let request = Shipment.where { $0.weight > 50 }
        let first = try context.count(request)
        let before = context.statistics
        #expect(try context.count(request) == first)
        #expect((context.statistics - before).objectsJudged == 0)
        withExtendedLifetime(test) {}
    }

    @Test func `a count with 8,200 changed rows excludes them by an SQL function`() throws {
        let (test, context) = try context(changed: 8_200)
        #expect(try context.count(Shipment.all) == 16_400)
        #expect(
            try context.explain(countOf: Shipment.all).pending?.omission == .function)
        withExtendedLifetime(test) {}
    }

    @Test(arguments: [(3, PendingExplanation.Omission.declining), (200, .function)])
    func `findFirst skips 3 changed rows while reading, but excludes 200 in SQL`(
        dirty: Int, way: PendingExplanation.Omission
    ) throws {
        let (test, context) = try stored(1_000)
        let all = try Shipment.find(sortedBy: .ascending(\.bucket), in: context)
        // The changed shipments precede every clean row, and no longer match.
        for shipment in all.prefix(dirty) { shipment.weight = -1 }
        let request = Shipment.where { $0.weight >= 0 }.sorted(by: .ascending(\.bucket))
        let before = context.statistics
        let found = try context.findFirst(request)
        let cost = context.statistics - before
        #expect(found?.code == "stored \(dirty)")
        // The next request uses the known matches of the dirty rows.
        #expect(try context.explain(request.limited(to: 1)).pending?.omission == .declining)
        // If reading the first rows does not suffice, a second statement calls the function.
        #expect(cost.statements == (way == .declining ? 1 : 2))
        #expect(cost.rowsRead == (way == .declining ? dirty + 1 : 5 + 1))
        withExtendedLifetime((test, all)) {}
    }

    @Test func `a limited find is complete wherever the changed rows are in its order`() throws {
        let (test, context) = try stored(60)
        let all = try Shipment.find(sortedBy: .ascending(\.bucket), in: context)
        for limit in [1, 2, 8, 17, 59] {
            for place in 0..<60 {
                all[place].weight = -1
                let found = try Shipment.find(
                    sortedBy: .ascending(\.bucket), limit: limit, in: context
                ) { $0.weight >= 0 }
                let wanted = all.filter { $0.weight >= 0 }.prefix(limit)
                #expect(found.map(\.code) == wanted.map(\.code))
            }
            for shipment in all { shipment.weight = 0 }
        }
        withExtendedLifetime(test) {}
    }

    private func stored(_ count: Int) throws -> (TestStack, ManagedObjectContext) {
        let test = try TestStack(for: Shipment.self, Depot.self)
        try test.stack.saveWithBlockAndWait { context in
            for number in 0..<count {
                try Shipment.create(in: context, code: "stored \(number)").bucket = number
            }
        }
        return (test, test.stack.newContext())
    }

    @Test func `after 1,000 other requests, an edit no longer evaluates old filters`() throws {
        let (test, context) = try context(changed: 100)
        for weight in 0..<8 { _ = try Shipment.count(in: context) { $0.weight > weight } }
        let edited = try #require(try Shipment.findFirst(by: \.code, "new 0", in: context))
        func judged() throws -> Int {
            let before = context.statistics
            edited.weight += 1
            _ = try Shipment.findFirst(by: \.code, "new 1", in: context)
            return (context.statistics - before).objectsJudged
        }
        #expect(try judged() > 0)
        for _ in 0..<1_000 { _ = try judged() }
        #expect(try judged() == 0)
        withExtendedLifetime(test) {}
    }

    @Test func `a push costs the same with 500 unsaved parent objects as with 20`() throws {
        func cost(changed count: Int) throws -> [Int] {
            let (test, parent) = try context(changed: count)
            let child = parent.newChild()
            let before = (child.statistics, parent.statistics)
            for number in 0..<5 {
                try Shipment.create(in: child, code: "pushed \(number)")
                try child.push()
            }
            let after = (child.statistics - before.0, parent.statistics - before.1)
            #expect(child.registeredObjectCount == 5)
            withExtendedLifetime(test) {}
            return [after.0.objectsFetched, after.0.statements, after.1.statements]
        }
        #expect(try cost(changed: 20) == cost(changed: 500))
    }

    @Test func `a count after a save evaluates no saved object in memory`() throws {
        let (test, context) = try context(changed: 100)
        #expect(try context.count(Shipment.where { $0.bucket == 7 }) == 3)
        try context.saveAndWait()
        let before = context.statistics
        #expect(try context.count(Shipment.where { $0.bucket == 7 }) == 3)
        #expect((context.statistics - before).objectsJudged == 0)
        withExtendedLifetime(test) {}
    }
}
