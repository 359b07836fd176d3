import RecordStackModel

/// Reads one row: the object that the scanner is about to begin, straight into its slots.
struct RowReader {
    let mapping: ImportMapping

    func read(
        _ first: JSONToken, _ scanner: inout JSONScanner, number: Int
    ) throws(JSONError) -> StagedRow {
        var row = StagedRow(number: number, slots: mapping.attributes.count)
        if first == .beginObject {
            try readObject(mapping.root, &scanner, &row)
        } else {
            row.refusal = "The row is \(Self.name(of: first)), not an object."
            if first == .beginArray { _ = try scanner.skipContainer() }
        }
        return row
    }

    private func readObject(
        _ node: ImportMapping.Node, _ scanner: inout JSONScanner, _ row: inout StagedRow
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
        _ node: ImportMapping.Node, _ scanner: inout JSONScanner, _ row: inout StagedRow
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
        _ token: JSONToken, _ node: ImportMapping.Node, _ scanner: inout JSONScanner,
        _ row: inout StagedRow
    ) throws(JSONError) {
        for target in node.targets {
            take(token, slot: target.slot, priority: target.priority, &scanner, &row)
        }
        switch token {
        case .beginObject: try readObject(node, &scanner, &row)
        case .beginArray: try readArray(node, &scanner, &row)
        default: break
        }
    }

    private func take(
        _ token: JSONToken, slot: Int, priority: Int, _ scanner: inout JSONScanner,
        _ row: inout StagedRow
    ) {
        guard row.values[slot].yields(to: priority), let attribute = mapping.attributes[slot] else {
            return
        }
        let converted: StoredValue?
        switch token {
        case .null:
            if case .absent = row.values[slot] { row.values[slot] = .null(path: priority) }
            return
        case .true: converted = attribute.conversion.convert(true)
        case .false: converted = attribute.conversion.convert(false)
        case .number: converted = attribute.conversion.convert(scanner.number)
        case .string: converted = attribute.conversion.convert(scanner.text)
        default: converted = nil
        }
        if let converted, attribute.takes(converted) {
            row.values[slot] = .value(converted, priority: priority)
        } else {
            row.values[slot] = .unfit(priority: priority, found: Self.excerpt(token, &scanner))
        }
    }

    private static func excerpt(_ token: JSONToken, _ scanner: inout JSONScanner) -> String {
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
