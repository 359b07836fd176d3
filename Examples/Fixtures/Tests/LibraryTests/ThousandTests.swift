import Foundation
import Library
import RecordStack
import RecordStackTesting
import Testing

/// Parallel tests, each with a stack of 1,000 objects.
@Suite struct ThousandTests {
    @Test(arguments: 0..<20)
    func `each case has a thousand objects to itself`(index: Int) async throws {
        let clock = ContinuousClock()
        var made: TestStack?
        let time = try clock.measure {
            made = try TestStack(entities: libraryEntities, seed: thousand)
        }
        // The time is printed and not checked, because other work on the machine affects it.
        print("A stack with 1,000 objects took \(time.formatted(.units(allowed: [.milliseconds])))")
        let test = try #require(made)
        let context = test.stack.newContext()
        #expect(try Book.count(in: context) == 600)
        try Book.delete(in: context) { $0.isbn == "978-\(index + 301)" }
        try await context.save()
        #expect(try Book.count(in: context) == 599)
    }

    @Test func `a hundred lent books are overdue at once`() throws {
        let test = try TestStack(entities: libraryEntities, seed: thousand)
        let loans = try overdueLoans(at: .distantFuture, in: test.stack.newContext())
        #expect(loans.count == 100)
    }
}

/// Tests of the default stack, for code that names no context.
@MainActor @Suite(.defaultStack(for: Reader.self, Book.self, Loan.self, seed: thousand))
struct WelcomeTests {
    @Test func `the display counts books and loans`() throws {
        #expect(try welcome() == "600 books, 100 of them lent")
    }

    @Test(arguments: 0..<10)
    func `the display follows what is saved`(count: Int) async throws {
        let stack = try #require(ContextStack.default)
        try await stack.saveWithBlock { try Factory.oldBook.create(count, in: $0).count }
        #expect(try welcome() == "\(600 + count) books, 100 of them lent")
    }
}
