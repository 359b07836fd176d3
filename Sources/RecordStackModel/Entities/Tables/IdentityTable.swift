/// Finds the index of a list's element by its identity.
///
/// A stack uses no Swift dictionaries while it opens. For the first dictionary of each key type,
/// the runtime searches everything that the process has loaded for the key's conformance to
/// Hashable. That search takes as long as opening a connection.
package struct IdentityTable: Sendable {
    /// The buckets, in open addressing: an identity, and the index of its element.
    ///
    /// An empty bucket has the identity 0. At least half of the buckets are empty.
    private let entries: [Int]
    private let mask: Int

    /// - Parameter identities: distinct identities of types or objects that live at least
    ///   as long as the table.
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

    /// Returns the bucket at which the search for an address starts.
    ///
    /// Addresses are multiples of 16 and lie close together.
    private static func bucket(_ key: Int, _ mask: Int) -> Int {
        (key >> 4 ^ key >> 12) & mask
    }
}
