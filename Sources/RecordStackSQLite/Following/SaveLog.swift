import FoundationEssentials
import RecordStackModel

/// What the last saves of a stack have changed, for the other stacks on the file.
///
/// It stands behind the token that each save leaves in its stack's place anyway, so that a save needs no
/// statement for it and no other page of the file. It has a fixed length, which lets SQLite write it over
/// the old one in place; the oldest saves are dropped for the newest. A reader that knows the token
/// that was in the place before finds all saves since then, or that some were dropped.
struct SaveLog {
    /// All that a place holds, the token included, in bytes. Twice as much costs a save half a
    /// microsecond; it has the keys of about a hundred small saves.
    static let size = 1_024
    private static let tokenSize = 16
    private static let lengthSize = 2

    /// The token that stood in the place before the oldest save that is listed.
    private var base: SaveToken?
    private var last: SaveToken?
    /// One after another: the token's number, the length of what was changed, and that.
    private var entries: [UInt8] = []

    /// - Parameter base: the token that the place has when it is taken over.
    init(after base: SaveToken?) {
        self.base = base
    }

    private static var room: Int { size - 2 * tokenSize - lengthSize }

    /// Adds a save.
    mutating func add(_ token: SaveToken, _ changes: ChangedKeys) {
        var changes = changes.bytes
        var entry: [UInt8] = []
        entry.appendVarint(token.number)
        if entry.count + changes.count + 2 > Self.room { changes = ChangedKeys.anything.bytes }
        entry.appendVarint(UInt64(changes.count))
        entry += changes
        while entries.count + entry.count > Self.room { dropOldest(of: token.author) }
        entries += entry
        last = token
    }

    private mutating func dropOldest(of author: UInt64) {
        var cursor = ByteCursor(entries[...])
        guard let number = cursor.varint(), cursor.chunk() != nil else { return entries = [] }
        base = SaveToken(author: author, number: number)
        entries.removeFirst(entries.count - cursor.remaining)
    }

    /// What the place is to hold.
    var stored: StoredValue {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.size)
        bytes += last?.byteList ?? [UInt8](repeating: 0, count: Self.tokenSize)
        bytes += base?.byteList ?? [UInt8](repeating: 0, count: Self.tokenSize)
        bytes.append(UInt8(entries.count & 0xFF))
        bytes.append(UInt8(entries.count >> 8))
        bytes += entries
        bytes += repeatElement(0, count: Self.size - bytes.count)
        return .blob(bytes)
    }
}

// MARK: Reading

extension SaveLog {
    /// What was saved in a place since it had another token.
    /// - Returns: nil where that cannot be told.
    static func changes(in bytes: [UInt8], since known: SaveToken?) -> [ChangedKeys]? {
        guard bytes.count == size, let last = SaveToken(stored: bytes[...]) else { return nil }
        let base = SaveToken(stored: bytes[tokenSize...])
        let start = 2 * tokenSize + lengthSize
        let length = Int(bytes[start - 2]) | Int(bytes[start - 1]) << 8
        guard start + length <= size else { return nil }
        var cursor = ByteCursor(bytes[start..<(start + length)])
        var changes: [ChangedKeys] = []
        var isNew = known == base
        while cursor.remaining > 0 {
            guard let number = cursor.varint(), let chunk = cursor.chunk() else { return nil }
            if isNew { changes.append(ChangedKeys(bytes: [UInt8](chunk))) }
            if known == SaveToken(author: last.author, number: number) { isNew = true }
        }
        return isNew ? changes : nil
    }
}

extension SaveToken {
    /// The token that a place begins with; nil where it has none.
    init?(stored bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 16 else { return nil }
        let (author, number) = bytes.withUnsafeBytes {
            (
                $0.loadUnaligned(as: UInt64.self),
                $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
        }
        if author == 0 && number == 0 { return nil }
        self.init(author: author, number: number)
    }

    var byteList: [UInt8] { withUnsafeBytes(of: bytes.uuid) { [UInt8]($0) } }
}
