import RecordStackModel

/// Rows of a source that are imported together.
package struct ImportBatch: Sendable {
    enum Rows: Sendable {
        case values(ArraySlice<ImportValue>)
        /// The texts of rows, concatenated, with the end of each.
        ///
        /// - Parameter lines: the line numbers of the texts, if they are lines that may not be
        ///   JSON. Nil for texts that are known to be JSON.
        case texts([UInt8], ends: [Int], lines: [Int]?)
    }

    let rows: Rows
    /// The number of the first row.
    package let firstRow: Int
    /// The number of bytes of the source that were read up to the last row.
    package let bytes: Int
}

extension Importer {
    /// Imports a batch, which may have at most as many rows as are looked up together.
    ///
    /// - Parameter keyPath: the path of the row in a line.
    package func run(_ batch: ImportBatch, at keyPath: String?) throws {
        switch batch.rows {
        case .values(let values):
            let reader = ValueReader()
            for value in values { add(try reader.read(value, mapping, number: number)) }
            try finishBatch()
        case .texts(let bytes, let ends, let lines):
            try bytes.withUnsafeBytes { bytes in
                try add(bytes, ends, lines, at: keyPath)
                try finishBatch()
            }
        }
    }

    private func add(
        _ bytes: UnsafeRawBufferPointer, _ ends: [Int], _ lines: [Int]?, at keyPath: String?
    ) throws {
        let location = try JSONLocation(lines == nil ? nil : keyPath, entity: mapping.entity)
        var start = 0
        for (index, end) in ends.enumerated() {
            let text = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            start = end
            if let lines {
                try addLine(text, number: lines[index], at: location)
                continue
            }
            var scanner = JSONScanner(text)
            let reader = RowReader(source: text)
            add(try reader.read(try scanner.next(), &scanner, mapping, number: number))
        }
    }

    /// Returns and clears the report so far, with the problems in the order of the rows.
    func takeReport() -> ImportReport {
        defer { forgetReport() }
        return sortedReport
    }
}
