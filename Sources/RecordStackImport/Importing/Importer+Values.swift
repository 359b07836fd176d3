package import RecordStackGraph
package import RecordStackModel

extension Importer {
    /// Imports rows that are values already.
    package func run(_ values: some Sequence<ImportValue>, count: Int) throws -> ImportReport {
        let reader = ValueReader()
        for value in values {
            add(try reader.read(value, mapping, number: number))
            if isBatchFull {
                try finishBatch()
                tell(bytes: 0, of: nil, rows: count)
            }
        }
        try finishBatch()
        tell(bytes: 0, of: nil, rows: count)
        return try finish()
    }

    /// Sets the values of a row in one object.
    package func run(_ value: ImportValue, for object: ManagedObject) throws -> ImportReport {
        try apply(try ValueReader().read(value, mapping, number: number), to: object)
        return try finish()
    }
}
