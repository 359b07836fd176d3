/// A bulk update or deletion of all rows of a request, written in one transaction.
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
    /// The number of rows up to which the result lists each changed row.
    ///
    /// If the request has more rows, the store may return a truncated change set.
    package let mostListed: Int

    package init(_ kind: Kind, _ objects: StoreRequest, mostListed: Int) {
        self.kind = kind
        self.objects = objects
        self.mostListed = mostListed
    }
}

/// The result of a batch write, before it is committed.
package struct BatchResult: Sendable {
    package let count: Int
    package let changes: ChangeSet

    package init(count: Int, changes: ChangeSet) {
        self.count = count
        self.changes = changes
    }
}
