package import RecordStack

/// A ledger whose books must balance whenever somebody looks: the sum of an account's entries is its
/// balance, and the balances together are 0.
@Entity package final class Account: ManagedObject {
    @Attribute(.unique) package var number: Int
    @Attribute package var balance: Int = 0
    @Relationship package var entries: ToMany<Entry>
}

/// One side of a transfer.
@Entity package final class Entry: ManagedObject {
    /// The number of the save that made it.
    @Attribute(.indexed) package var save: Int
    @Attribute package var amount: Int
    /// Text of some length, so that a save is many pages.
    @Attribute package var note: String = ""
    @Relationship(inverse: \Account.entries) package var account: Account?
}

/// What a save has done, written by the save itself.
@Entity package final class Receipt: ManagedObject {
    @Attribute(.unique) package var save: Int
    @Attribute package var entryCount: Int
    /// The save whose entries this one has deleted.
    @Attribute package var undone: Int?
}
