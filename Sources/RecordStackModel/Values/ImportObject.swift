/// The keys and values of an object in an import's source.
///
/// ```swift
/// if case .object(let members) = value { print(members["name"] ?? .null, members.count) }
/// ```
///
/// Keys are compared by their UTF-8 bytes, as everywhere in an import. Two forms of "é", written as
/// one or as two Unicode scalars, are different keys, although Swift's `==` on `String` treats them
/// as equal. The members are sorted by the bytes of their keys, so finding a member takes a binary
/// search.
public struct ImportObject: Sendable, Hashable {
    private struct Member: Sendable, Hashable {
        let key: String
        var value: ImportValue

        static func == (left: Member, right: Member) -> Bool {
            left.key.hasSameBytes(as: right.key) && left.value == right.value
        }

        func hash(into hasher: inout Hasher) {
            key.hashBytes(into: &hasher)
            hasher.combine(value)
        }
    }

    /// The members, sorted by the bytes of their keys, which are distinct.
    private var members: [Member] = []

    /// Creates an object without members.
    public init() {}

    /// Creates an object from keys and values.
    ///
    /// If a key occurs more than once, the last value is used.
    public init(_ members: some Sequence<(String, ImportValue)>) {
        self.members = members.map { Member(key: $0, value: $1) }
        if self.members.count < 2 { return }
        // The sort keeps the order of equal keys, and the loop keeps the last of them.
        self.members.sort { $0.key.compareBytes(to: $1.key) == .before }
        var kept = 0
        for index in 1..<self.members.count {
            if !self.members[index].key.hasSameBytes(as: self.members[kept].key) { kept += 1 }
            self.members[kept] = self.members[index]
        }
        self.members.removeLast(self.members.count - kept - 1)
    }

    /// Creates an object from the keys and values of a dictionary.
    public init(_ members: [String: ImportValue]) {
        self.init(members.lazy.map { ($0.key, $0.value) })
    }

    /// The value under a key, or nil if the object does not have the key.
    ///
    /// Setting nil removes the key.
    public subscript(key: String) -> ImportValue? {
        get { find(key).map { members[$0].value } }
        set {
            let index = find(key)
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?):
                members.insert(Member(key: key, value: value), at: firstIndex(notBefore: key))
            case (nil, nil): break
            }
        }
    }

    /// The keys, sorted by their bytes.
    public var keys: [String] { members.map(\.key) }

    /// The values, sorted by the bytes of their keys.
    public var values: [ImportValue] { members.map(\.value) }

    /// Returns an object with the same keys and transformed values.
    public func mapValues(
        _ transform: (ImportValue) throws -> ImportValue
    ) rethrows -> ImportObject {
        var mapped = self
        for index in mapped.members.indices {
            mapped.members[index].value = try transform(members[index].value)
        }
        return mapped
    }

    private func find(_ key: String) -> Int? {
        let index = firstIndex(notBefore: key)
        guard index < members.count, members[index].key.hasSameBytes(as: key) else { return nil }
        return index
    }

    private func firstIndex(notBefore key: String) -> Int {
        var (low, high) = (0, members.count)
        while low < high {
            let middle = (low + high) / 2
            if members[middle].key.compareBytes(to: key) == .before {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}

extension ImportObject: RandomAccessCollection {
    /// The index of the first member.
    public var startIndex: Int { 0 }
    /// The index after the last member.
    public var endIndex: Int { members.count }

    /// The member at an index, in the order of the keys.
    public subscript(position: Int) -> (key: String, value: ImportValue) {
        (members[position].key, members[position].value)
    }
}

extension ImportObject: ExpressibleByDictionaryLiteral {
    /// Creates an object from keys and values.
    ///
    /// If a key occurs more than once, the last value is used.
    public init(dictionaryLiteral elements: (String, ImportValue)...) { self.init(elements) }
}
