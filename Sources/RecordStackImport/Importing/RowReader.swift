import RecordStackModel

/// Reads one row: the object that the scanner is about to begin, straight into its slots.
struct RowReader {
    let mapping: ImportMapping

    func read(
        _ first: JSONToken, _ scanner: inout JSONScanner, number: Int
    ) throws(JSONError) -> StagedRow {
        var row = StagedRow(number: number, mapping)
        if first == .beginObject {
            try readObject(mapping.root, &scanner, &row)
        } else {
            row.refusal = "The row is \(Self.name(of: first)), not an object."
            if first == .beginArray { _ = try scanner.skipContainer() }
        }
        return row
    }

    private func readObject(
        _ node: ImportNode, _ scanner: inout JSONScanner, _ row: inout StagedRow
    ) throws(JSONError) {
        while try scanner.next() == .key {
            if let child = node.child(scanner.text) {
                let token = try scanner.next()
                try readValue(token, child, &scanner, &row)
            } else {
                _ = try scanner.skipValue()
            }
        }
    }

    private func readArray(
        _ node: ImportNode, _ scanner: inout JSONScanner, _ row: inout StagedRow
    ) throws(JSONError) {
        var index = 0
        while true {
            let token = try scanner.next()
            if token == .endArray { return }
            if let child = node.indexes[index] {
                try readValue(token, child, &scanner, &row)
            } else if token == .beginObject || token == .beginArray {
                _ = try scanner.skipContainer()
            }
            index += 1
        }
    }

    private func readValue(
        _ token: JSONToken, _ node: ImportNode, _ scanner: inout JSONScanner,
        _ row: inout StagedRow
    ) throws(JSONError) {
        let start = scanner.tokenStart
        var isRead = false
        for wish in node.wishes {
            switch wish.property {
            case .slot(let slot): take(token, slot, wish.priority, &scanner, &row)
            case .relation(let place) where isRead:
                var again = JSONScanner(Self.text(from: start, to: scanner))
                let token = try again.next()
                try takeRelated(token, place, wish.priority, &again, &row)
            case .relation(let place):
                try takeRelated(token, place, wish.priority, &scanner, &row)
                isRead = true
            }
        }
        if !isRead { return try readInside(token, node, &scanner, &row) }
        if node.isLeaf { return }
        // What lies below is wanted by itself as well.
        var again = JSONScanner(Self.text(from: start, to: scanner))
        try readInside(try again.next(), node, &again, &row)
    }

    /// The text of the value that was read last.
    private static func text(
        from start: UnsafePointer<UInt8>, to scanner: borrowing JSONScanner
    ) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: scanner.cursor - start)
    }

    private func readInside(
        _ token: JSONToken, _ node: ImportNode, _ scanner: inout JSONScanner,
        _ row: inout StagedRow
    ) throws(JSONError) {
        switch token {
        case .beginObject: try readObject(node, &scanner, &row)
        case .beginArray: try readArray(node, &scanner, &row)
        default: break
        }
    }

    private func take(
        _ token: JSONToken, _ slot: Int, _ priority: Int, _ scanner: inout JSONScanner,
        _ row: inout StagedRow
    ) {
        guard row.values[slot].yields(to: priority), let attribute = mapping.attributes[slot] else {
            return
        }
        if token == .null {
            if case .absent = row.values[slot] { row.values[slot] = .null(priority: priority) }
        } else if let value = Self.convert(token, as: attribute, &scanner) {
            row.values[slot] = .value(value, priority: priority)
        } else {
            row.values[slot] = .unfit(priority: priority, found: Self.excerpt(token, &scanner))
        }
    }

    /// The value of an attribute that a token stands for; nil where it does not convert.
    static func convert(
        _ token: JSONToken, as attribute: ImportMapping.Attribute, _ scanner: inout JSONScanner
    ) -> StoredValue? {
        let converted: StoredValue? =
            switch token {
            case .true: attribute.conversion.convert(true)
            case .false: attribute.conversion.convert(false)
            case .number: attribute.conversion.convert(scanner.number)
            case .string: attribute.conversion.convert(scanner.text)
            default: nil
            }
        return converted.flatMap { attribute.takes($0) ? $0 : nil }
    }

    static func excerpt(_ token: JSONToken, _ scanner: inout JSONScanner) -> String {
        switch token {
        case .number: return scanner.number.text
        case .string:
            let text = scanner.string
            return text.count > 40 ? "“\(text.prefix(40))…”" : "“\(text)”"
        default: return name(of: token)
        }
    }

    private static func name(of token: JSONToken) -> String {
        switch token {
        case .beginObject: "an object"
        case .beginArray: "an array"
        case .string: "text"
        case .number: "a number"
        case .true: "true"
        case .false: "false"
        case .null: "null"
        default: "nothing"
        }
    }
}
