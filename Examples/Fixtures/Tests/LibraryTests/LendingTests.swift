import Foundation
import Library
import RecordStack
import RecordStackTesting
import Testing

/// Tests of the desk, with a new stack for each test, seeded from JSON.
@Suite struct LendingTests {
    let test: TestStack
    let clock = TestClock(Date(timeIntervalSince1970: 1_700_000_000))
    let desk: LendingDesk

    init() throws {
        test = try TestStack(entities: libraryEntities)
        try test.seed(Book.self, jsonFile: "Data/library.json", at: "books")
        try test.seed(Reader.self, jsonFile: "Data/library.json", at: "readers")
        desk = LendingDesk(stack: test.stack, now: clock.now, newNumber: TestUUIDs().next)
    }

    @Test func `a book that is lent is not lent again until it is back`() async throws {
        try await desk.lend("978-1", to: "C1")
        await #expect(throws: LendingDesk.Refusal.isLent) {
            try await desk.lend("978-1", to: "C2")
        }
        try await desk.takeBack("978-1")
        try await desk.lend("978-1", to: "C2")
        let context = test.stack.newContext()
        #expect(try Loan.count(in: context) == 2)
    }

    @Test func `who has five books gets no more`() async throws {
        try test.seed { context in
            let ann = try Reader.findFirst(by: \.card, "C1", in: context)
            try Factory.loan.create(5, in: context) { loan, index in
                loan.reader = ann
                loan.book = try Factory.book.create(in: context) { $0.isbn = "979-\(index)" }
            }
        }
        await #expect(throws: LendingDesk.Refusal.tooMany) {
            try await desk.lend("978-1", to: "C1")
        }
    }

    @Test func `a book is overdue after four weeks`() async throws {
        try await desk.lend("978-2", to: "C1")
        let context = test.stack.newContext()
        clock.advance(by: LendingDesk.period)
        #expect(try overdueLoans(at: clock.now(), in: context).isEmpty)
        clock.advance(by: 1)
        let titles = try overdueLoans(at: clock.now(), in: context).map(\.book?.title)
        #expect(titles == ["Winter Roads"])
    }

    @Test func `lending changes nothing but the loan`() async throws {
        let before = try test.dump()
        try await desk.lend("978-3", to: "C2")
        let difference = try test.dump().difference(from: before)
        #expect(
            "\(difference)" == """
                ~ Book "978-3"
                    loans:
                      + Loan 00000000-0000-0000-0000-000000000001
                + Loan 00000000-0000-0000-0000-000000000001
                    number: 00000000-0000-0000-0000-000000000001
                    due: 2023-12-12T22:13:20Z
                    returned: nil
                    book: Book "978-3"
                    reader: Reader "C2"
                ~ Reader "C2"
                    loans:
                      + Loan 00000000-0000-0000-0000-000000000001
                """)
    }

    @Test func `a refusal changes nothing at all`() async throws {
        let before = try test.dump()
        await #expect(throws: LendingDesk.Refusal.unknownReader("C9")) {
            try await desk.lend("978-1", to: "C9")
        }
        expectNoDifference(before, try test.dump())
    }

    @Test func `the loans that are overdue take one statement`() throws {
        let context = test.stack.newContext()
        let loans = try test.expectStatements(1) {
            try overdueLoans(at: .distantFuture, in: context)
        }
        #expect(loans.isEmpty)
    }
}
