package import RecordStack
import RecordStackModel

/// The changes that the killed program makes to the ledger, and the way in which a test opens it.
package enum Bookkeeper {
    package static let accountCount = 20

    /// Opens a stack that runs a checkpoint every few saves, so that a kill often interrupts a
    /// checkpoint.
    package static func open(_ path: String) throws -> ContextStack {
        var options = StoreOptions()
        options.checkpointPages = 60
        return try ContextStack(
            entities: [Account.self, Entry.self, Receipt.self], at: .file(path), options: options)
    }

    package static func openAccounts(_ stack: ContextStack) throws {
        try stack.saveWithBlockAndWait { context in
            for number in 0..<accountCount {
                _ = try Account.findFirstOrCreate(by: \.number, number, in: context)
            }
        }
    }

    /// Makes one save: some transfers, perhaps the deletion of an older save's entries, and the
    /// receipt.
    /// - Returns: the largest key among the new entries.
    package static func save(
        _ number: Int, _ random: inout some RandomNumberGenerator, _ stack: ContextStack
    ) throws -> Int64 {
        // Most saves are small. A few are as large as the batch of a big import.
        let transfers = Int.random(
            in: 1...(Int.random(in: 0..<10, using: &random) == 0 ? 1_500 : 60), using: &random)
        let seed = UInt64.random(in: 0...UInt64.max, using: &random)
        return try stack.saveWithBlockAndWait { context in
            try book(number, transfers, seed, context)
        }
    }

    private static func book(
        _ number: Int, _ transfers: Int, _ seed: UInt64, _ context: ManagedObjectContext
    ) throws -> Int64 {
        var dice = Dice(state: seed)
        let accounts = try Account.find(sortedBy: .ascending(\.number), in: context)
        var largest: Int64 = 0
        for _ in 0..<transfers {
            let amount = dice.roll(1_000)
            for signed in [amount, -amount] {
                let account = accounts[dice.roll(accounts.count)]
                account.balance += signed
                let entry = try Entry.create(
                    in: context, save: number, amount: signed,
                    note: String(repeating: "note ", count: dice.roll(20)), account: account)
                largest = max(largest, entry.objectID.key)
            }
        }
        let receipt = try Receipt.create(in: context, save: number, entryCount: 2 * transfers)
        if dice.roll(3) == 0 { receipt.undone = try undo(before: number, &dice, context) }
        return largest
    }

    private static func undo(
        before number: Int, _ dice: inout Dice, _ context: ManagedObjectContext
    ) throws -> Int? {
        guard number > 1 else { return nil }
        let old = 1 + dice.roll(number - 1)
        let entries = try Entry.find(in: context) { $0.save == old }
        if entries.isEmpty { return nil }
        for entry in entries {
            entry.account?.balance -= entry.amount
            try entry.delete()
        }
        return old
    }
}

/// A random number generator that a Sendable block can capture.
private struct Dice {
    var state: UInt64

    mutating func roll(_ sides: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(sides))
    }
}
