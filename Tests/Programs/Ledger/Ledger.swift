public import RecordStack

/// A ledger whose books must balance whenever somebody looks: the sum of an account's entries is its
/// balance, and the balances together are 0.
@Entity public final class Account: ManagedObject {
    @Attribute(.unique) public var number: Int
    @Attribute public var balance: Int = 0
    @Relationship public var entries: ToMany<Entry>
}

/// One side of a transfer.
@Entity public final class Entry: ManagedObject {
    /// The number of the save that made it.
    @Attribute(.indexed) public var save: Int
    @Attribute public var amount: Int
    /// Text of some length, so that a save is many pages.
    @Attribute public var note: String = ""
    @Relationship(inverse: \Account.entries) public var account: Account?
}

/// What a save has done, written by the save itself.
@Entity public final class Receipt: ManagedObject {
    @Attribute(.unique) public var save: Int
    @Attribute public var entryCount: Int
    /// The save whose entries this one has deleted.
    @Attribute public var undone: Int?
}
