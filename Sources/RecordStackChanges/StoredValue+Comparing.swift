package import RecordStackModel

extension StoredValue {
    /// Whether both values are stored identically, so that a change between them is no change.
    package func isStoredSame(as other: StoredValue) -> Bool {
        switch (self, other) {
        case (.integer, .real), (.real, .integer): false
        default: self == other
        }
    }
}
