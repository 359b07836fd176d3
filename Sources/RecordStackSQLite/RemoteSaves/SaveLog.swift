import FoundationEssentials
import RecordStackModel

/// The changes of a stack's last saves, for the other stacks on the file.
///
/// They follow the token that each save writes to its stack's row, so a save needs no further
/// statement and no further page of the file. The length is fixed, so that SQLite overwrites the
/// old log in place. The oldest saves are dropped for the newest. A reader that has the row's
/// previous token finds all saves since then, or finds that some were dropped.
struct SaveLog {
    /// The number of bytes in a row, including the token.
    ///
    /// It is enough for the keys of about a hundred small saves.
    static let size = 1_024
    private static let tokenSize = Int(SaveToken.size)
    private static let lengthSize = 2

    /// The bytes of the row.
    ///
    /// They are the token of the last save, the token before the oldest listed save, the length of
    /// the list, and the saves in sequence. Each save has the number of its token, the length of
    /// its changes, and the changes. The rest is zero.
    private(set) var bytes = [UInt8](repeating: 0, count: size)
    /// The offset at which the list ends.
    private var end = start

    private static var start: Int { 2 * tokenSize + lengthSize }

    /// Creates an empty log.
    ///
    /// - Parameter base: the token that the row has when the stack takes it over.
    init(after base: SaveToken?) {
        if let base { put(base, at: Self.tokenSize) }
    }

    /// Adds a save.
    mutating func add(_ token: SaveToken, _ changes: ChangedKeys) {
        var changes = changes.bytes
        if changes.count > Self.mostBytes { changes = ChangedKeys.anything.bytes }
        let number = Varint(token.number)
        let length = Varint(UInt64(changes.count))
        makeRoom(for: number.size + length.size + changes.count, author: token.author)
        bytes.withUnsafeMutableBytes { bytes in
            number.write(to: bytes, at: &end)
            length.write(to: bytes, at: &end)
            UnsafeMutableRawBufferPointer(rebasing: bytes[end...]).copyBytes(from: changes)
        }
        end += changes.count
        put(token, at: 0)
        let total = end - Self.start
        (bytes[Self.start - 2], bytes[Self.start - 1]) = (UInt8(total & 0xFF), UInt8(total >> 8))
    }

    /// The largest number of bytes for the changes of one save, besides its number and its length.
    private static var mostBytes: Int { size - start - 12 }

    /// Drops as many of the oldest saves as necessary.
    private mutating func makeRoom(for count: Int, author: UInt64) {
        if end + count <= Self.size { return }
        let (last, kept) = oldest(beside: count)
        put(SaveToken(author: author, number: last), at: Self.tokenSize)
        bytes.withUnsafeMutableBytes { [end] bytes in
            let list = UnsafeMutableRawBufferPointer(rebasing: bytes[Self.start...])
            list.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[(end - kept)..<end]))
            UnsafeMutableRawBufferPointer(rebasing: list[kept..<(end - Self.start)])
                .initializeMemory(as: UInt8.self, repeating: 0)
        }
        end = Self.start + kept
    }

    /// Returns the last save that must be dropped for `count` bytes, and the length of the rest.
    ///
    /// This is a separate function because a write to the bytes would copy them while a
    /// cursor holds them.
    private func oldest(beside count: Int) -> (last: UInt64, kept: Int) {
        var cursor = ByteCursor(bytes[Self.start..<end])
        var last: UInt64 = 0
        while Self.start + cursor.remaining + count > Self.size {
            guard let number = cursor.varint(), cursor.chunk() != nil else { break }
            last = number
        }
        return (last, cursor.remaining)
    }

    private mutating func put(_ token: SaveToken, at offset: Int) {
        bytes.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: token.author, toByteOffset: offset, as: UInt64.self)
            bytes.storeBytes(of: token.number, toByteOffset: offset + 8, as: UInt64.self)
        }
    }
}

// MARK: Reading

extension SaveLog {
    /// Returns the saves that a row lists since the save with a given token.
    ///
    /// - Returns: nil if some of them are unknown.
    static func changes(in bytes: [UInt8], since known: SaveToken?) -> [ChangedKeys]? {
        guard bytes.count == size, let last = SaveToken(stored: bytes[...]) else { return nil }
        let base = SaveToken(stored: bytes[tokenSize...])
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
    /// The size in bytes.
    static var size: Int64 { 16 }

    /// Reads the token at the start of a row; nil if there is none.
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
