extension TestStack {
    /// Expects a closure to run exactly the given number of statements.
    ///
    /// ```swift
    /// let people = try test.expectStatements(1) { try Person.find(in: context) }
    /// ```
    ///
    /// If the closure runs more or fewer statements, the test fails with a list of the statements,
    /// and continues. The count includes only statements of the given kind. It includes statements
    /// that other code runs on the stack at the same time. It excludes statements that set up a new
    /// connection.
    ///
    /// After a save returns, the stack can have work left to do, such as reserving more keys.
    /// Before it runs the closure, the call waits until earlier saves have finished this work, and
    /// does not count their statements. Afterwards it waits until the closure's own saves have
    /// finished this work, and counts their statements. For this reason, do not use the call in a
    /// merge policy or a validation. It would wait for the save that is running it, and never
    /// return.
    ///
    /// - Returns: The closure's result.
    /// - Throws: Any error of the closure, in which case nothing is checked.
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

    /// Expects the number of statements that a closure runs to be in a range.
    ///
    /// ```swift
    /// try test.expectStatements(1...2) { _ = try Person.page(2, size: 25, in: context) }
    /// ```
    ///
    /// Works like ``expectStatements(_:_:fileID:filePath:line:column:during:)`` with a single
    /// number.
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

    /// Expects an asynchronous closure to run exactly the given number of statements.
    ///
    /// ```swift
    /// try await test.expectStatements(0, .writes) { try await context.save() }
    /// ```
    ///
    /// Works like the synchronous form.
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

    /// Expects an asynchronous closure to run a number of statements within the given range.
    ///
    /// Works like the synchronous form.
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
