import RecordStackModel

extension ContextStack {
    /// Checks that the stack is open.
    ///
    /// - Throws: ``RecordStackError/Code/closed`` otherwise.
    package func requireOpen() throws {
        if coordinator.isClosed { throw RecordStackError.closedStack }
    }
}
