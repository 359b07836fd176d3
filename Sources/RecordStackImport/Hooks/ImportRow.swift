public import RecordStackModel

/// A row of an import, or an object nested in a row, as a hook receives it.
///
/// ```swift
/// hooks.shouldImport(Person.self) { row in row["deleted"] != true }
/// ```
public struct ImportRow: Sendable, Hashable {
    /// The number of the row, counted from 0. A nested object has the number of its row.
    public let number: Int
    /// The path of a nested object in the row, such as `lines.2`; empty for the row itself.
    public let path: String
    /// The value of the row or nested object in the source.
    public let value: ImportValue

    /// The value of a key; nil if the row does not have the key.
    public subscript(key: String) -> ImportValue? { value[key] }
}
