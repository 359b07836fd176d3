import RecordStackModel

extension ContextStack {
    /// - Throws: ``RecordStackError/Code/closed`` where the stack is closed.
    package func requireOpen() throws {
        if coordinator.isClosed { throw RecordStackError.closedStack }
    }
}
