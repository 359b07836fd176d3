package import RecordStack

/// An account of a ledger whose books must always balance: the sum of an account's entries is its
/// balance, and the sum of all balances is 0.
@Entity package final class Account: ManagedObject {
    @Attribute(.unique) package var number: Int
    @Attribute package var balance: Int = 0
    @Relationship package var entries: ToMany<Entry>
}

/// One side of a transfer.
@Entity package final class Entry: ManagedObject {
    /// The number of the save that created the entry.
    @Attribute(.indexed) package var save: Int
    @Attribute package var amount: Int
    /// A long text, so that a save writes many pages.
    @Attribute package var note: String = ""
    @Relationship(inverse: \Account.entries) package var account: Account?
}

/// A record of a save, written by the save itself.
@Entity package final class Receipt: ManagedObject {
    @Attribute(.unique) package var save: Int
    @Attribute package var entryCount: Int
    /// The number of the save whose entries this save has deleted.
    @Attribute package var undone: Int?
}
