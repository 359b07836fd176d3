/// What is done to all rows of a request at once, in a transaction of its own.
package struct BatchWrite: Sendable {
    /// A slot and its new value.
    package struct Value: Sendable {
        package let slot: Int
        package let operand: FilterOperand

        package init(slot: Int, operand: FilterOperand) {
            self.slot = slot
            self.operand = operand
        }

        /// Whether the value is the same for all rows.
        package var isConstant: Bool { if case .value = operand { true } else { false } }
    }

    package enum Kind: Sendable {
        case delete
        case update([Value])
    }

    package let kind: Kind
    package let objects: StoreRequest
    /// Past so many rows, what has become of each need not be told.
    package let mostListed: Int

    package init(_ kind: Kind, _ objects: StoreRequest, mostListed: Int) {
        self.kind = kind
        self.objects = objects
        self.mostListed = mostListed
    }
}

/// What came of a batch write, before it is committed.
package struct BatchResult: Sendable {
    package let count: Int
    package let changes: ChangeSet

    package init(count: Int, changes: ChangeSet) {
        self.count = count
        self.changes = changes
    }
}
