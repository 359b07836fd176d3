public import FoundationEssentials
public import RecordStackModel

/// Where the rows of `stack.importJSON` come from.
///
/// ```swift
/// let report = try await stack.importJSON(.file(url), into: Person.self)
/// ```
///
/// Files and streams are read in pieces: what is in memory is a batch of rows, whatever the length of the text.
public struct ImportSource: Sendable {
    enum Kind: Sendable {
        case data(Data)
        case file(URL)
        case values([ImportValue])
        /// Makes what answers the pieces.
        case pieces(@Sendable () -> any PieceStream)
    }

    let kind: Kind

    /// JSON in UTF-8 that is in memory.
    public static func data(_ data: Data) -> ImportSource { ImportSource(kind: .data(data)) }

    /// A file of JSON in UTF-8.
    public static func file(_ url: URL) -> ImportSource { ImportSource(kind: .file(url)) }

    /// Rows that are dictionaries: of text, numbers, Bools, dates, data, UUIDs, URLs, arrays and dictionaries of these.
    /// - Throws: ``RecordStackError/Code/importFailed`` for a value of another kind.
    public static func dictionaries(_ rows: [[String: Any]]) throws -> ImportSource {
        ImportSource(kind: .values(try rows.map { try ImportValue($0) }))
    }

    /// Rows that are values of a type that encodes itself.
    /// - Throws: what encoding throws.
    public static func encodable(_ rows: [some Encodable]) throws -> ImportSource {
        ImportSource(kind: .values(try rows.map { try ImportValue(encoding: $0) }))
    }

    /// Rows that are import values.
    public static func values(_ rows: [ImportValue]) -> ImportSource {
        ImportSource(kind: .values(rows))
    }

    /// Bytes of JSON in UTF-8 as they arrive.
    @inlinable
    public static func bytes<Bytes: AsyncSequence & Sendable>(
        _ bytes: Bytes
    ) -> ImportSource where Bytes.Element == UInt8 {
        pieces { ByteStream(bytes.makeAsyncIterator()) }
    }

    /// Pieces of JSON in UTF-8 as they arrive, divided wherever they are.
    public static func chunks<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks
    ) -> ImportSource where Chunks.Element == Data {
        pieces { ChunkStream(chunks.makeAsyncIterator()) }
    }

    @usableFromInline
    static func pieces(_ open: @escaping @Sendable () -> any PieceStream) -> ImportSource {
        ImportSource(kind: .pieces(open))
    }
}

/// Answers the pieces of a text one after another.
@usableFromInline
protocol PieceStream: AnyObject {
    /// The next piece; nil after the last one.
    func next(isolation: isolated (any Actor)?) async throws -> [UInt8]?
}

/// Gathers bytes that arrive one by one.
@usableFromInline
final class ByteStream<Bytes: AsyncIteratorProtocol>: PieceStream where Bytes.Element == UInt8 {
    @usableFromInline var bytes: Bytes

    @inlinable
    init(_ bytes: Bytes) { self.bytes = bytes }

    // In the module of the program that has the bytes, each costs a call less.
    @inlinable
    func next(isolation: isolated (any Actor)?) async throws -> [UInt8]? {
        var piece: [UInt8] = []
        piece.reserveCapacity(1 << 16)
        while piece.count < 1 << 16, let byte = try await bytes.next(isolation: isolation) {
            piece.append(byte)
        }
        return piece.isEmpty ? nil : piece
    }
}

private final class ChunkStream<Chunks: AsyncIteratorProtocol>: PieceStream
where Chunks.Element == Data {
    private var chunks: Chunks

    init(_ chunks: Chunks) { self.chunks = chunks }

    func next(isolation: isolated (any Actor)?) async throws -> [UInt8]? {
        try await chunks.next(isolation: isolation).map { [UInt8]($0) }
    }
}

/// When an import with `stack.importJSON` saves.
public enum ImportCommit: String, Sendable, Hashable, Codable {
    /// After each batch: others get their turn in between, and what was saved stays where a later batch fails.
    case everyBatch
    /// At the end: all or nothing. Everything that is imported is in memory until then.
    case once
}
