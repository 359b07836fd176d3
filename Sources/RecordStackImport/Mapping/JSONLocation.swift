import RecordStackModel

/// The path of a value in a JSON text: keys of objects and indexes of arrays, separated by dots.
struct JSONLocation {
    let keyPath: String
    let entity: EntityDescription
    let steps: [String]

    /// The key path, cut for a message.
    var keyPathExcerpt: String { keyPath.cut(to: 100) }

    /// Parses a key path.
    ///
    /// - Parameter keyPath: the path; nil means the whole text.
    /// - Throws: ``RecordStackError/Code/misuse`` for an empty step.
    init(_ keyPath: String?, entity: EntityDescription) throws {
        self.keyPath = keyPath ?? ""
        self.entity = entity
        steps = try keyPath.map { try ImportKeyPath($0, entity: entity).steps } ?? []
    }

    /// Returns the text of the value at the location; nil if there is no such value.
    ///
    /// Without steps, returns the whole text, which may have more content after the first value.
    func find(in bytes: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer? {
        var bytes = bytes
        for step in steps {
            guard let found = try Self.find(step, in: bytes) else { return nil }
            bytes = found
        }
        return bytes
    }

    /// Returns the value at the location; nil if there is no such value.
    func find(in value: ImportValue) -> ImportValue? {
        var value = value
        for step in steps {
            guard let found = value[step] ?? ImportKeyPath.index(step).flatMap({ value[$0] }) else {
                return nil
            }
            value = found
        }
        return value
    }

    /// Returns the text of the value at the location.
    ///
    /// - Throws: ``RecordStackError/Code/importFailed`` if there is no such value.
    func require(in bytes: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer {
        var bytes = bytes
        for step in steps {
            guard let found = try Self.find(step, in: bytes) else {
                throw missing(step, in: try JSONFinding(in: bytes))
            }
            bytes = found
        }
        return bytes
    }

    private static func find(
        _ step: String, in bytes: UnsafeRawBufferPointer
    ) throws -> UnsafeRawBufferPointer? {
        var scanner = JSONScanner(bytes)
        return switch try scanner.next() {
        case .beginObject: try member(Array(step.utf8), &scanner)
        case .beginArray: try element(step, &scanner)
        default: nil
        }
    }

    /// Returns the value of a key. If the key occurs several times, the last value counts.
    private static func member(
        _ name: [UInt8], _ scanner: inout JSONScanner
    ) throws -> UnsafeRawBufferPointer? {
        var found: UnsafeRawBufferPointer?
        while try scanner.next() == .key {
            let isWanted = scanner.text.elementsEqual(name)
            _ = try scanner.skipValue()
            if isWanted { found = scanner.text }
        }
        return found
    }

    private static func element(
        _ index: String, _ scanner: inout JSONScanner
    ) throws -> UnsafeRawBufferPointer? {
        guard let wanted = ImportKeyPath.index(index) else { return nil }
        for current in 0...wanted {
            let token = try scanner.next()
            if token == .endArray { break }
            let begin = scanner.tokenStart
            if token.beginsContainer { _ = try scanner.skipContainer() }
            if current == wanted {
                return UnsafeRawBufferPointer(start: begin, count: scanner.cursor - begin)
            }
        }
        return nil
    }

    /// Returns the error for a step without a value.
    ///
    /// - Parameter found: the value in which the step was looked for.
    func missing(_ step: String, in found: JSONFinding) -> RecordStackError {
        RecordStackError(
            .importFailed,
            "The JSON has nothing at “\(keyPathExcerpt)”: “\(step.cut(to: 40))” is missing; there is \(found.text).",
            entity: entity.name)
    }
}
