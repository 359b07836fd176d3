import RecordStackModel

extension Cell {
    /// Whether a value that was written to the cell is certain to read back the same.
    ///
    /// It is not certain for null and 0: a NaN is written as null, and −0.0 is written as 0.0.
    var isReadAsWritten: Bool { tag != .null && bits != 0 }

    /// Whether the cell holds exactly this value.
    func stores(_ value: StoredValue) -> Bool {
        switch (tag, value) {
        case (.null, .null): true
        case (.integer, .integer(let other)): integer == other
        case (.real, .real(let other)): real == other
        case (.text, .text(let other)):
            other.utf8.withContiguousStorageIfAvailable { bytes.elementsEqual($0) }
                ?? bytes.elementsEqual(other.utf8)
        case (.blob, .blob(let other)): bytes.elementsEqual(other)
        default: false
        }
    }
}
