import RecordStackModel

/// Rows of a source that are imported together.
package struct ImportBatch: Sendable {
    enum Rows: Sendable {
        case values(ArraySlice<ImportValue>)
        /// Texts of rows, one behind another.
        case texts([UInt8], ends: [Int], isChecked: Bool)
    }

    let rows: Rows
    /// The number of the first row.
    package let firstRow: Int
    /// How much of the source was read with the last of them.
    package let bytes: Int
}

extension Importer {
    /// Imports a batch. It may have fewer rows than are looked up together, but not more.
    /// - Parameter keyPath: where the row is in a line.
    package func run(_ batch: ImportBatch, at keyPath: String?) throws {
        switch batch.rows {
        case .values(let values):
            let reader = ValueReader()
            for value in values { add(try reader.read(value, mapping, number: number)) }
            try finishBatch()
        case .texts(let bytes, let ends, let isChecked):
            try bytes.withUnsafeBytes { bytes in
                try add(bytes, ends, isChecked: isChecked, at: keyPath)
                try finishBatch()
            }
        }
    }

    private func add(
        _ bytes: UnsafeRawBufferPointer, _ ends: [Int], isChecked: Bool, at keyPath: String?
    ) throws {
        let place = try JSONPlace(isChecked ? nil : keyPath, entity: mapping.entity)
        var start = 0
        for end in ends {
            let text = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            start = end
            if !isChecked {
                try addLine(text, at: place)
                continue
            }
            var scanner = JSONScanner(text)
            let reader = RowReader(source: text)
            add(try reader.read(try scanner.next(), &scanner, mapping, number: number))
        }
    }

    /// What was imported since this was last asked for, with the problems in the order of the rows.
    func takeReport() -> ImportReport {
        defer { forgetReport() }
        return sortedReport
    }
}
