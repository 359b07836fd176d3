public import RecordStackModel

/// Options that say which properties of each object an export writes, and how.
///
/// ```swift
/// var options = ExportOptions()
/// options.depth = 1                                   // writes related objects in full
/// options.except = ["passwordHash", "team.members"]
/// let data = try Person.exportJSON(in: context, options: options)
/// ```
///
/// By default, an export writes the attributes and the keys of the related objects.
public struct ExportOptions: Sendable, Hashable {
    /// The number of relationships in a row that the export follows.
    ///
    /// Objects within this depth are written as JSON objects. Objects behind it are written as
    /// their keys: a value, or an object with the parts of an identity that has several. An object
    /// without an identity cannot be written as a key, so the export throws `misuse`. Values above
    /// 100 count as 100. An object inside itself is always written as its key.
    public var depth = 0
    /// The names of the properties that the export writes, such as `"email"` or `"team.title"`.
    ///
    /// A path through a relationship writes the related objects as JSON objects, whatever the
    /// depth. Nil for all properties.
    public var only: [String]?
    /// The names of the properties that the export leaves out.
    public var except: [String] = []
    /// True to write nil as null; false to leave the property out.
    public var includesNulls = true
    /// True to indent the text for people to read, with a line for each value.
    public var isPretty = false
    /// The format of the text: one array, or a JSON object on each line.
    public var format = ImportFormat.json
    /// The style of the keys that are the names of properties.
    public var keyStyle = ImportKeyStyle.asNamed
    /// The profile whose mapping the export uses; nil for the mapping without a profile.
    public var profile: ImportProfile?

    /// Creates options to write all attributes and the keys of related objects, in one array.
    public init() {}
}
