/// Finds the index of a list's element by its identity.
///
/// A stack does without Swift's dictionaries while it opens: for the first one of each type of key,
/// the runtime searches all that the process has loaded for the key's conformance to Hashable, which
/// takes as long as opening a connection.
package struct IdentityTable: Sendable {
    /// Open addressing: an identity, 0 for none, then its index. There is always room for twice as many.
    private let entries: [Int]
    private let mask: Int

    /// - Parameter identities: of things that live at least as long as the table, no two of them the
    ///   same.
    package init(_ identities: [ObjectIdentifier]) {
        var capacity = 2
        while capacity < identities.count * 2 { capacity *= 2 }
        var entries = [Int](repeating: 0, count: capacity * 2)
        let mask = capacity - 1
        for (index, identity) in identities.enumerated() {
            let key = Int(bitPattern: identity)
            var bucket = Self.bucket(key, mask)
            while entries[bucket * 2] != 0 { bucket = (bucket + 1) & mask }
            entries[bucket * 2] = key
            entries[bucket * 2 + 1] = index
        }
        self.entries = entries
        self.mask = mask
    }

    package subscript(identity: ObjectIdentifier) -> Int? {
        let key = Int(bitPattern: identity)
        var bucket = Self.bucket(key, mask)
        while true {
            let found = entries[bucket * 2]
            if found == key { return entries[bucket * 2 + 1] }
            if found == 0 { return nil }
            bucket = (bucket + 1) & mask
        }
    }

    /// Addresses are multiples of 16 and lie close together.
    private static func bucket(_ key: Int, _ mask: Int) -> Int {
        (key >> 4 ^ key >> 12) & mask
    }
}
