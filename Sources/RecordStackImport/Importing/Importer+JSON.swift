package import FoundationEssentials
package import RecordStackGraph
import RecordStackModel

extension Importer {
    /// Imports the rows at a key path: the objects of an array, or a single object.
    ///
    /// The whole text is checked before the first object is created, so text that is not JSON
    /// changes nothing.
    ///
    /// - Throws: ``RecordStackError/Code/importFailed`` if the text is not JSON or has nothing at
    ///   the key path, and any error of finding or creating objects.
    package func run(_ data: Data, at keyPath: String?) throws -> ImportReport {
        if options.format == .ndjson { return try runLines(data, at: keyPath) }
        return try data.withUnsafeBytes { bytes in
            do {
                try check(bytes)
                try readRows(bytes, at: keyPath)
            } catch let error as JSONError {
                throw failure(error, in: bytes)
            }
            return try finish()
        }
    }

    /// Sets the values of the row at a key path in one object.
    package func run(
        _ data: Data, at keyPath: String?, for object: ManagedObject
    ) throws -> ImportReport {
        try data.withUnsafeBytes { bytes in
            do {
                try check(bytes)
                let row = try JSONLocation(keyPath, entity: mapping.entity).require(in: bytes)
                var scanner = JSONScanner(row)
                let reader = RowReader(source: row)
                let staged = try reader.read(try scanner.next(), &scanner, mapping, number: number)
                try apply(staged, to: object)
            } catch let error as JSONError {
                throw failure(error, in: bytes)
            }
            return try finish()
        }
    }

    private func check(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        var scanner = JSONScanner(bytes)
        _ = try scanner.skipValue()
        _ = try scanner.next()
    }

    private func readRows(_ bytes: UnsafeRawBufferPointer, at keyPath: String?) throws {
        let rows = try JSONLocation(keyPath, entity: mapping.entity).require(in: bytes)
        // Text before and after the rows counts as read, because the check has read all of it.
        let offset = bytes.count - rows.count
        var scanner = JSONScanner(rows)
        let token = try scanner.next()
        if token == .beginArray { return try readElements(of: rows, before: offset, bytes.count) }
        let reader = RowReader(source: rows)
        add(try reader.read(token, &scanner, mapping, number: number))
        try finishBatch()
        tell(bytes: bytes.count, of: bytes.count)
    }

    /// Reads the next batch on another thread while the current one is imported.
    ///
    /// If hooks receive rows, each batch is read in the context's isolation instead, where
    /// hooks must run.
    private func readElements(
        of rows: UnsafeRawBufferPointer, before offset: Int, _ totalBytes: Int
    ) throws {
        let reading = try ReadAhead(rows, batchSize: options.batchSize, firstRow: number)
        let sets = [mappings] + (try mappingsToReadAhead(rows.count).map { [$0] } ?? [])
        var current = 0
        add(try reading.read(into: mapping))
        while !reading.isAtEnd {
            let position = reading.offset
            let isFirst = report.rows == 0
            let next = (current + 1) % sets.count
            if sets.count > 1 { reading.begin(try sets[next].mapping(of: mapping.entity)) }
            let imported = Result { try finishBatch(of: sets[current]) }
            // Wait for the reader even if this batch failed: until then, it owns what
            // it reads into.
            let read = Result {
                try sets.count > 1 ? reading.finish() : reading.read(into: mapping)
            }
            try imported.get()
            if isFirst { reserve(afterReading: Double(position) / Double(rows.count)) }
            tell(bytes: offset + position, of: totalBytes)
            add(try read.get())
            current = next
        }
        try finishBatch(of: sets[current])
        tell(bytes: totalBytes, of: totalBytes)
    }

    // MARK: Lines

    /// Imports the rows of a text in which each line is a JSON text.
    ///
    /// A line that is not JSON is skipped and reported.
    private func runLines(_ data: Data, at keyPath: String?) throws -> ImportReport {
        let location = try JSONLocation(keyPath, entity: mapping.entity)
        try data.withUnsafeBytes { bytes in
            var lines = JSONLines(bytes)
            while let line = lines.next() {
                try addLine(line, number: lines.number, at: location)
                if isBatchFull {
                    try finishBatch()
                    tell(bytes: lines.offset, of: bytes.count)
                }
            }
            try finishBatch()
            tell(bytes: bytes.count, of: bytes.count)
        }
        return try finish()
    }

    /// Adds the row of one line.
    ///
    /// - Parameters:
    ///   - line: bytes that must stay in memory until the batch is finished.
    ///   - count: the number of the line in the source, from 1.
    /// - Throws: the errors of hooks that receive the row.
    func addLine(
        _ line: UnsafeRawBufferPointer, number count: Int, at location: JSONLocation
    ) throws {
        // A byte order mark may precede the text, but the second line is in the middle of it.
        if count > 1 && line.starts(with: JSONLines.mark) {
            return refuse("Line \(count) is not JSON: column 1: a byte order mark stands here.")
        }
        let row: UnsafeRawBufferPointer
        do {
            try check(line)
            row = try location.require(in: line)
        } catch let error as JSONError {
            return refuse(
                "Line \(count) is not JSON\(error.where(in: line)): column \(error.position.column): "
                    + "\(error.message).")
        } catch {
            return refuse((error as? RecordStackError)?.message ?? "\(error)")
        }
        var scanner = JSONScanner(row)
        let reader = RowReader(source: row)
        add(try reader.read(try scanner.next(), &scanner, mapping, number: number))
    }
}

/// The lines of a text that are not empty.
struct JSONLines {
    static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let bytes: UnsafeRawBufferPointer
    /// The offset at which the next line begins.
    private(set) var offset: Int
    /// The number of the last line, from 1; empty lines count.
    private(set) var number = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        offset = bytes.starts(with: Self.mark) ? Self.mark.count : 0
    }

    mutating func next() -> UnsafeRawBufferPointer? {
        while offset < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.count
            offset += min(end + 1, rest.count)
            number += 1
            let line = UnsafeRawBufferPointer(rebasing: rest[..<end])
            if !line.isBlank { return line }
        }
        return nil
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a line has only white space.
    var isBlank: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
}
