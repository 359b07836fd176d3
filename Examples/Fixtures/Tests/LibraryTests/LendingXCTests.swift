import Foundation
import Library
import RecordStack
import RecordStackTesting
import XCTest

/// The same tests in XCTest.
final class LendingXCTests: XCTestCase {
    private var test: TestStack!

    override func setUpWithError() throws {
        test = try TestStack(entities: libraryEntities)
        try test.seed(Book.self, jsonFile: "Data/library.json", at: "books")
        try test.seed(Reader.self, jsonFile: "Data/library.json", at: "readers")
    }

    override func tearDown() {
        test = nil
    }

    func testABookIsLentAndTakenBack() async throws {
        let desk = LendingDesk(stack: test.stack)
        try await desk.lend("978-1", to: "C1")
        let context = test.stack.newContext()
        XCTAssertEqual(try Loan.count(in: context), 1)
        try await desk.takeBack("978-1")
        XCTAssertEqual(try Loan.count(in: context) { $0.returned == nil }, 0)
    }

    func testOverdueLoansTakeOneStatement() throws {
        let context = test.stack.newContext()
        try test.expectStatements(1) { _ = try overdueLoans(at: .distantFuture, in: context) }
    }

    func testARefusalChangesNothing() async throws {
        let before = try test.dump()
        let desk = LendingDesk(stack: test.stack)
        let due = try? await desk.lend("978-9", to: "C1")
        XCTAssertNil(due)
        expectNoDifference(before, try test.dump())
    }

    @MainActor func testTheDisplayUsesTheDefaultStack() async throws {
        XCTAssertEqual(try test.asDefault { try welcome() }, "3 books, 0 of them lent")
    }
}

/// A test case in which every test has a default stack.
final class DefaultStackXCTests: XCTestCase {
    override func invokeTest() {
        do {
            let test = try TestStack(entities: libraryEntities, seed: thousand)
            test.asDefault { super.invokeTest() }
        } catch {
            XCTFail("\(error)")
        }
    }

    @MainActor func testTheDisplayCountsBooks() async throws {
        XCTAssertEqual(try welcome(), "600 books, 100 of them lent")
    }

    @MainActor func testAnAsyncTestHasItToo() async throws {
        let stack = try XCTUnwrap(ContextStack.default)
        try await stack.saveWithBlock { try Factory.book.create(2, in: $0).count }
        XCTAssertEqual(try welcome(), "602 books, 100 of them lent")
    }
}

/// Tests that XCTest learns of expectations that fail.
final class FailingExpectationXCTests: XCTestCase {
    /// Returns the number of failures of a test that runs inside this one.
    private func failures(of body: @escaping (TestStack) throws -> Void) throws -> Int {
        let inner = XCTestCase(name: "meant to fail") { _ in
            try body(TestStack(entities: libraryEntities))
        }
        inner.run()
        return try XCTUnwrap(inner.testRun).failureCount
    }

    func testFailuresAreHeardOf() throws {
        let counts = [
            try failures { test in
                let context = test.stack.newContext()
                try test.expectStatements(0) { _ = try Book.count(in: context) }
            },
            try failures { test in
                let before = try test.dump()
                try test.seed { try Factory.book.create(in: $0) }
                expectNoDifference(before, try test.dump())
            },
            try failures { test in test.expectStatements(0) {} },
        ]
        // The inner tests have replaced this test in XCTest, which reports only its thrown errors.
        if counts != [1, 1, 0] { throw Unexpected(counts: counts) }
    }

    private struct Unexpected: Error {
        let counts: [Int]
    }
}
