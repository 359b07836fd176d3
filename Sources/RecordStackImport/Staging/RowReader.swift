import RecordStackModel

/// Reads rows of JSON from a scanner directly into cells.
struct RowReader {
    /// The text of the rows, which stays in memory until the rows of the batch are imported.
    let source: UnsafeRawBufferPointer

    /// Reads a row of an entity or of one of its subentities.
    ///
    /// - Parameter first: the first token of the row.
    func read(
        _ first: JSONToken, _ scanner: inout JSONScanner, _ mapping: ImportMapping, number: Int
    ) throws -> StagedRow {
        let start = scanner.tokenStart
        guard first == .beginObject else {
            let row = mapping.rows.append(number: number)
            if first == .beginArray { _ = try scanner.skipContainer() }
            row.edit { $0.refusal = "The row is \(first.noun), not an object." }
            return row
        }
        guard let kinds = mapping.kinds else {
            let row = try readObject(of: mapping, from: start, &scanner, number: number)
            if row.hasNothing { try refuse(row, text(from: start, to: scanner)) }
            return row
        }
        let found = try kinds.location.find(in: rest(from: start))
            .map { try ImportValue(json: $0) }.flatMap { $0.isNull ? nil : $0 }
        let kind = found.map { kinds.mapping(for: $0.plainText) } ?? mapping.concrete
        let row = try readObject(of: kind ?? mapping, from: start, &scanner, number: number)
        row.edit { $0.isKindUnsaid = found == nil }
        if kind == nil {
            row.edit { $0.refusal = kinds.refusal(of: found) }
        } else if found == nil && row.hasNothing {
            try refuse(row, text(from: start, to: scanner))
        }
        return row
    }

    /// Refuses a row that has no key of the entity.
    private func refuse(_ row: StagedRow, _ text: UnsafeRawBufferPointer) throws {
        guard case .object(let members) = try ImportValue(json: text) else { return }
        row.refuseNothing(among: members)
    }

    private func readObject(
        of mapping: ImportMapping, from start: UnsafePointer<UInt8>, _ scanner: inout JSONScanner,
        number: Int
    ) throws -> StagedRow {
        let row = mapping.rows.append(number: number)
        var nodes = ReadNodes()
        try readMembers(mapping.root, &scanner, row, &nodes)
        if !nodes.areRepeated && !mapping.hooks.seeRows {
            if mapping.identityDefaults.isEmpty { row.takeKey() }
            return row
        }
        let value = try ImportValue(json: text(from: start, to: scanner))
        if nodes.areRepeated {
            row.forget()
            try ValueReader().readInside(value, mapping.root, row)
        }
        if mapping.hooks.seeRows { try row.see(value) }
        return row
    }

    /// The nodes that were read in a row.
    ///
    /// If a key occurs twice, its last value wins as a whole. Such rows are rare, and are read
    /// again in full.
    private struct ReadNodes {
        private var first: UInt64 = 0
        /// The nodes from number 64 on, if any were read.
        private var others: Set<Int>?
        private(set) var areRepeated = false

        @inline(__always)
        mutating func add(_ number: Int) {
            guard number < 64 else { return addOther(number) }
            let bit = UInt64(1) << UInt64(number)
            if first & bit != 0 { areRepeated = true }
            first |= bit
        }

        @inline(never)
        private mutating func addOther(_ number: Int) {
            if others?.insert(number).inserted == false { areRepeated = true }
            if others == nil { others = [number] }
        }
    }

    private func readMembers(
        _ node: ImportNode, _ scanner: inout JSONScanner, _ row: StagedRow,
        _ nodes: inout ReadNodes
    ) throws {
        var search = ImportKeyTable.Search(node.table)
        while try scanner.next() == .key {
            guard let key = search.find(scanner.text) else {
                _ = try scanner.skipValue()
                continue
            }
            nodes.add(key.pointee.number)
            let token = try scanner.next()
            if key.pointee.slot >= 0 && !token.beginsContainer {
                takePlain(token, key, &scanner, row)
            } else {
                try readValue(token, key.pointee.node, &scanner, row, &nodes)
            }
        }
    }

    /// Sets the value of the only attribute of a key, if it is no object and no array.
    @inline(__always)
    private func takePlain(
        _ token: JSONToken, _ key: UnsafeMutablePointer<ImportKeyTable.Entry>,
        _ scanner: inout JSONScanner, _ row: StagedRow
    ) {
        let (slot, priority) = (key.pointee.slot, key.pointee.priority)
        if row.isAbsent(slot), let cell = key.pointee.taking.cell(token, &scanner, source) {
            row.set(slot, cell, priority: priority)
        } else {
            take(token, slot, priority, &scanner, row)
        }
    }

    private func readElements(
        _ node: ImportNode, _ scanner: inout JSONScanner, _ row: StagedRow,
        _ nodes: inout ReadNodes
    ) throws {
        var index = 0
        while true {
            let token = try scanner.next()
            if token == .endArray { return }
            if let child = node.indexes[index] {
                try readValue(token, child, &scanner, row, &nodes)
            } else if token.beginsContainer {
                _ = try scanner.skipContainer()
            }
            index += 1
        }
    }

    private func readValue(
        _ token: JSONToken, _ node: ImportNode, _ scanner: inout JSONScanner, _ row: StagedRow,
        _ nodes: inout ReadNodes
    ) throws {
        if node.hasWholeBindings { return try readWhole(token, node, &scanner, row, &nodes) }
        for binding in node.bindings {
            if case .slot(let slot) = binding.property {
                take(token, slot, binding.priority, &scanner, row)
            }
        }
        try readInside(token, node, &scanner, row, &nodes)
    }

    /// Reads a value of which a property needs the whole content.
    ///
    /// If several properties need the value, it is read several times.
    private func readWhole(
        _ token: JSONToken, _ node: ImportNode, _ scanner: inout JSONScanner, _ row: StagedRow,
        _ nodes: inout ReadNodes
    ) throws {
        if node.isLeaf && node.bindings.count == 1 {
            return try take(node.bindings[0], token, &scanner, row)
        }
        let start = scanner.tokenStart
        if token.beginsContainer { _ = try scanner.skipContainer() }
        let text = text(from: start, to: scanner)
        for binding in node.bindings {
            var again = JSONScanner(text)
            try take(binding, try again.next(), &again, row)
        }
        if node.isLeaf { return }
        var again = JSONScanner(text)
        try readInside(try again.next(), node, &again, row, &nodes)
    }

    /// Reads a value to its end and sets a property, unless a more preferred key has set it.
    private func take(
        _ binding: ImportNode.Binding, _ token: JSONToken, _ scanner: inout JSONScanner,
        _ row: StagedRow
    ) throws {
        switch binding.property {
        case .relation(let index):
            try takeRelated(token, index, binding.priority, &scanner, row)
        case .slot(let slot):
            guard binding.isWhole, let attribute = row.mapping.attributes[slot] else {
                take(token, slot, binding.priority, &scanner, row)
                if token.beginsContainer { _ = try scanner.skipContainer() }
                return
            }
            let start = scanner.tokenStart
            if token.beginsContainer { _ = try scanner.skipContainer() }
            row.take(
                try ImportValue(json: text(from: start, to: scanner)), attribute, binding.priority)
        }
    }

    private func readInside(
        _ token: JSONToken, _ node: ImportNode, _ scanner: inout JSONScanner, _ row: StagedRow,
        _ nodes: inout ReadNodes
    ) throws {
        switch token {
        case .beginObject: try readMembers(node, &scanner, row, &nodes)
        case .beginArray: try readElements(node, &scanner, row, &nodes)
        default: break
        }
    }

    private func take(
        _ token: JSONToken, _ slot: Int, _ priority: Int, _ scanner: inout JSONScanner,
        _ row: StagedRow
    ) {
        // Only attributes are bound by their slots.
        guard let attribute = row.mapping.attributes[slot],
            row[slot].yields(
                to: priority, isNull: token == .null, attribute.rules.fallback)
        else { return }
        if token == .null {
            row.set(slot, StagedMark(.null, priority: priority))
        } else if let cell = attribute.cell(token, &scanner, row.rows, source) {
            row.set(slot, cell, priority: priority)
        } else {
            let value = token.beginsContainer ? nil : ImportValue(token, &scanner)
            let unfit = value.map(attribute.unfit) ?? UnfitValue(found: token.noun)
            row.setUnfit(slot, unfit, priority: priority)
        }
    }

    /// Returns the text of the value that was read last.
    private func text(
        from start: UnsafePointer<UInt8>, to scanner: borrowing JSONScanner
    ) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: scanner.cursor - start)
    }

    /// Returns the rest of the source.
    private func rest(from start: UnsafePointer<UInt8>) -> UnsafeRawBufferPointer {
        // Everything that is read lies in the source, so the source has an address.
        let offset = UnsafeRawPointer(start) - source.baseAddress!
        return UnsafeRawBufferPointer(rebasing: source[offset...])
    }
}

extension ImportMapping {
    /// The mapping itself, unless its entity is abstract.
    var concrete: ImportMapping? { entity.isAbstract ? nil : self }
}

extension JSONToken {
    var beginsContainer: Bool { self == .beginObject || self == .beginArray }

    /// A noun for the value that the token begins, for a message.
    var noun: String {
        switch self {
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

extension JSONScanner {
    /// Returns a value for a message.
    mutating func excerpt(_ token: JSONToken) -> String {
        switch token {
        case .number: return number.text.cut(to: 60)
        case .string: return string.excerpt
        default: return token.noun
        }
    }
}

extension String {
    /// The text in quotes, cut if it is long.
    var excerpt: String { "“\(cut(to: 40))”" }
}
