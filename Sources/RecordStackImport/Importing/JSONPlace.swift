import RecordStackModel

/// Where in a JSON text something is: keys of objects and indexes of arrays, divided by dots.
struct JSONPlace {
    let keyPath: String
    let entity: EntityDescription
    private let steps: [[UInt8]]

    /// - Parameter keyPath: nil stands for the whole text.
    /// - Throws: ``RecordStackError/Code/misuse`` for an empty step.
    init(_ keyPath: String?, entity: EntityDescription) throws {
        self.keyPath = keyPath ?? ""
        self.entity = entity
        steps =
            keyPath?.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) }
            ?? []
        if steps.contains(where: \.isEmpty) {
            throw RecordStackError(
                .misuse,
                "“\(self.keyPath)” is no key path: it has an empty step. Write keys divided by single "
                    + "dots, as in at: \"result.items\".", entity: entity.name)
        }
    }

    /// The text of the value at the place.
    /// - Throws: ``RecordStackError/Code/importFailed`` where there is none.
    func find(in bytes: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer {
        var bytes = bytes
        for step in steps {
            var scanner = JSONScanner(bytes)
            let found: UnsafeRawBufferPointer? =
                switch try scanner.next() {
                case .beginObject: try member(step, &scanner)
                case .beginArray: try element(step, &scanner)
                default: nil
                }
            guard let found else { throw missing(step) }
            bytes = found
        }
        return bytes
    }

    /// The last of an object's members of a name, as everywhere in an import.
    private func member(
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

    private func element(
        _ index: [UInt8], _ scanner: inout JSONScanner
    ) throws -> UnsafeRawBufferPointer? {
        guard let wanted = Int(String(decoding: index, as: UTF8.self)), wanted >= 0 else {
            return nil
        }
        for place in 0...wanted {
            let token = try scanner.next()
            if token == .endArray { break }
            let begin = scanner.tokenStart
            if token == .beginObject || token == .beginArray { _ = try scanner.skipContainer() }
            if place == wanted {
                return UnsafeRawBufferPointer(start: begin, count: scanner.cursor - begin)
            }
        }
        return nil
    }

    private func missing(_ step: [UInt8]) -> RecordStackError {
        RecordStackError(
            .importFailed,
            "The JSON has nothing at “\(keyPath)”: “\(String(decoding: step, as: UTF8.self))” is "
                + "missing.", entity: entity.name)
    }
}
