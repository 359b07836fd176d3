public import RecordStackModel

/// What an export writes of each object, and how.
///
/// ```swift
/// var options = ExportOptions()
/// options.depth = 1                                   // related objects are written whole
/// options.except = ["passwordHash", "team.members"]
/// let data = try Person.exportJSON(in: context, options: options)
/// ```
///
/// Without more, the attributes are written, and the keys of the related objects.
public struct ExportOptions: Sendable, Hashable {
    /// How many relationships in a row are followed: their objects are written as objects. Behind those, objects are
    /// written as their keys: a value, or an object of the parts of an identity that has several. An object without an
    /// identity cannot be written there: the export throws `misuse`. More than 100 are as good as 100; an object within
    /// itself is written as its key.
    public var depth = 0
    /// The properties that are written, by their names, as `"email"` or `"team.title"`; a path through a relationship
    /// has the related objects written as objects, whatever the depth. Nil for all.
    public var only: [String]?
    /// The properties that are left out, by their names.
    public var except: [String] = []
    /// Whether what is nil is written as null; otherwise it is left out.
    public var includesNulls = true
    /// Whether the text is laid out for people, with a line for each value.
    public var isPretty = false
    /// Whether it is one array, or an object on each line.
    public var format = ImportFormat.json
    /// How keys are written that are the names of properties.
    public var keyStyle = ImportKeyStyle.asNamed
    /// The second mapping that is used; nil for the one that is declared without a profile.
    public var profile: ImportProfile?

    /// All attributes, and the keys of the related objects, in one array.
    public init() {}
}
