extension TestStack {
    /// Expects a body to run a number of statements. Where it runs more or fewer, the test fails,
    /// with the list of them, and goes on.
    ///
    /// ```swift
    /// let people = try test.expectStatements(1) { try Person.find(in: context) }
    /// ```
    ///
    /// The statements of others who use the same stack meanwhile are counted as well. What sets a new
    /// connection up is not, and what earlier saves have left to do is done before. What saves in the body leave to do,
    /// such as leasing more keys, is counted. A merge policy or a validation cannot ask: the save that it is part of is
    /// waited for.
    ///
    /// - Parameters:
    ///   - count: how many are to run.
    ///   - kind: which are counted.
    ///   - body: what runs them.
    /// - Returns: what the body returns.
    /// - Throws: what the body throws, and then nothing was expected.
    @discardableResult
    public func expectStatements<Value>(
        _ count: Int, _ kind: StatementKind = .all, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during body: () throws -> Value
    ) rethrows -> Value {
        try expectStatements(
            count...count, kind, fileID: fileID, filePath: filePath, line: line, column: column,
            during: body)
    }

    /// Expects a body to run a number of statements in a range, as ``expectStatements(_:_:fileID:filePath:line:column:during:)``
    /// does.
    ///
    /// ```swift
    /// try test.expectStatements(1...2) { _ = try Person.page(2, size: 25, in: context) }
    /// ```
    @discardableResult
    public func expectStatements<Value>(
        _ range: some RangeExpression<Int>, _ kind: StatementKind = .all,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, during body: () throws -> Value
    ) rethrows -> Value {
        let before = recorder.waitForStore()
        let value = try body()
        check(
            StatementExpectation(range, kind), of: recorder.statements(since: before),
            TestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
        return value
    }

    /// Expects a body that waits to run a number of statements.
    ///
    /// ```swift
    /// try await test.expectStatements(0, .writes) { try await context.save() }
    /// ```
    @discardableResult
    public func expectStatements<Value>(
        _ count: Int, _ kind: StatementKind = .all, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during body: () async throws -> Value
    ) async rethrows -> Value {
        try await expectStatements(
            count...count, kind, fileID: fileID, filePath: filePath, line: line, column: column,
            during: body)
    }

    /// Expects a body that waits to run a number of statements in a range.
    @discardableResult
    public func expectStatements<Value>(
        _ range: some RangeExpression<Int>, _ kind: StatementKind = .all,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, during body: () async throws -> Value
    ) async rethrows -> Value {
        let before = await recorder.waitForStore()
        let value = try await body()
        check(
            StatementExpectation(range, kind), of: await recorder.statements(since: before),
            TestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
        return value
    }

    private func check(
        _ expectation: StatementExpectation, of statements: [String], _ location: TestLocation
    ) {
        if let failure = expectation.failure(of: statements) { location.fail(failure) }
    }
}
