package import RecordStackModel

extension StoredValue {
    /// Whether both are stored alike, so that a change from one to the other is none.
    package func isStoredSame(as other: StoredValue) -> Bool {
        switch (self, other) {
        case (.integer, .real), (.real, .integer): false
        default: self == other
        }
    }
}
