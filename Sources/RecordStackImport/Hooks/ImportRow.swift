public import RecordStackModel

/// A row of an import, or an object that is nested in one, as it is in the source: what hooks see.
///
/// ```swift
/// hooks.shouldImport(Person.self) { row in row["deleted"] != true }
/// ```
public struct ImportRow: Sendable, Hashable {
    /// The row's number, from 0; a nested object has that of the row that it stands in.
    public let number: Int
    /// Where in the row a nested object is, as `lines.2`; empty for the row itself.
    public let path: String
    /// What the source has.
    public let value: ImportValue

    /// The value under a key; nil where the row has none.
    public subscript(key: String) -> ImportValue? { value[key] }
}
