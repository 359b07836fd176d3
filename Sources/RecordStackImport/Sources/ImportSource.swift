public import FoundationEssentials
public import RecordStackModel

/// The source of the rows for `stack.importJSON`.
///
/// ```swift
/// let report = try await stack.importJSON(.file(url), into: Person.self)
/// ```
///
/// Files and streams are read in pieces. Only one batch of rows is in memory at a time, however
/// long the text is.
public struct ImportSource: Sendable {
    enum Kind: Sendable {
        case data(Data)
        case file(URL)
        case values([ImportValue])
        /// A function that opens the stream of pieces.
        case pieces(@Sendable () -> any PieceStream)
    }

    let kind: Kind

    /// JSON in memory, in UTF-8.
    public static func data(_ data: Data) -> ImportSource { ImportSource(kind: .data(data)) }

    /// A file of JSON, in UTF-8.
    public static func file(_ url: URL) -> ImportSource { ImportSource(kind: .file(url)) }

    /// Rows that are dictionaries.
    ///
    /// A value can be a string, a number, a Bool, a date, data, a UUID, a URL, an enum with a raw
    /// value, nil, or an array or dictionary of these. It can also be any value that
    /// `JSONSerialization` returns.
    ///
    /// - Throws: ``RecordStackError/Code/importFailed`` for a value of another kind.
    public static func dictionaries(_ rows: [[String: Any]]) throws -> ImportSource {
        ImportSource(kind: .values(try rows.map { try ImportValue($0) }))
    }

    /// Rows that are values of an `Encodable` type.
    ///
    /// - Throws: the errors of encoding.
    public static func encodable(_ rows: [some Encodable]) throws -> ImportSource {
        ImportSource(kind: .values(try rows.map { try ImportValue(encoding: $0) }))
    }

    /// Rows that are `ImportValue` values.
    public static func values(_ rows: [ImportValue]) -> ImportSource {
        ImportSource(kind: .values(rows))
    }

    /// JSON in UTF-8 that arrives byte by byte.
    @inlinable
    public static func bytes<Bytes: AsyncSequence & Sendable>(
        _ bytes: Bytes
    ) -> ImportSource where Bytes.Element == UInt8 {
        pieces { ByteStream(bytes.makeAsyncIterator()) }
    }

    /// JSON in UTF-8 that arrives in chunks of any size.
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

/// A stream of the pieces of a text.
@usableFromInline
protocol PieceStream: AnyObject {
    /// Returns the next piece; nil after the last one.
    func next(isolation: isolated (any Actor)?) async throws -> [UInt8]?
}

/// Collects bytes that arrive one by one into pieces.
@usableFromInline
final class ByteStream<Bytes: AsyncIteratorProtocol>: PieceStream where Bytes.Element == UInt8 {
    @usableFromInline var bytes: Bytes

    @inlinable
    init(_ bytes: Bytes) { self.bytes = bytes }

    // Inlined into the program's module, each byte costs one call less.
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

/// The choice of when `stack.importJSON` saves.
public enum ImportCommit: String, Sendable, Hashable, Codable {
    /// Saves after each batch.
    ///
    /// Other saves can run between the batches. If a later batch fails, the earlier batches stay
    /// saved.
    case everyBatch
    /// Saves everything at the end, or nothing if the import fails.
    ///
    /// Until then, all imported objects are in memory.
    case once
}
