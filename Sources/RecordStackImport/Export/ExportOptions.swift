public import RecordStackModel

/// Options that choose which properties of each object an export writes, and in what form.
///
/// ```swift
/// var options = ExportOptions()
/// options.depth = 1                                   // writes related objects in full
/// options.except = ["passwordHash", "team.members"]
/// let data = try Person.exportJSON(in: context, options: options)
/// ```
///
/// By default, an export writes each object's attributes, and the keys of its related objects.
public struct ExportOptions: Sendable, Hashable {
    /// The depth to which the export follows relationships.
    ///
    /// The export writes related objects within this depth as JSON objects, and deeper objects as
    /// keys. At depth 0, it writes all related objects as keys. A key is the value of the identity.
    /// If the identity has several parts, the key is a JSON object with these parts. An object
    /// without an identity has no key, so the export throws `misuse` where it would need the key. A
    /// depth above 100 is treated as 100. An object that would be nested in itself is always
    /// written as its key.
    public var depth = 0
    /// The names of the properties that the export writes, such as `"email"` or `"team.title"`.
    ///
    /// If a name is a path through a relationship, the export writes the related objects as JSON
    /// objects, whatever the depth. If `only` is nil, the export writes all properties.
    public var only: [String]?
    /// The names of the properties that the export leaves out.
    public var except: [String] = []
    /// True to write nil as null; false to leave the property out.
    public var includesNulls = true
    /// True to indent the text for people to read, with one value on each line.
    public var isPretty = false
    /// The format of the text: one array, or one JSON object on each line.
    public var format = ImportFormat.json
    /// The style of the keys for properties whose key is derived from their name.
    public var keyStyle = ImportKeyStyle.asNamed
    /// The profile whose mapping the export uses; nil for the mapping without a profile.
    public var profile: ImportProfile?

    /// Creates options to write all attributes and the keys of related objects, in one array.
    public init() {}
}
