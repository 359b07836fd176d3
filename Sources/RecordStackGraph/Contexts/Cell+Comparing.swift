import RecordStackModel

extension Cell {
    /// Whether an object that was written to the cell has what it would read from it: a NaN is written
    /// as null, −0.0 as 0.0.
    var isReadAsWritten: Bool { tag != .null && bits != 0 }

    /// Whether the cell keeps just this value.
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
