public import RecordStackModel

/// Options of an import, such as the policies for nulls and missing keys.
///
/// ```swift
/// var options = ImportOptions.replace
/// options.keyStyle = .snakeCase
/// options.mostProblems = 100
/// try Person.importJSON(data, in: context, options: options)
/// ```
///
/// The `.importing(…)` declaration of a property takes precedence over these policies.
public struct ImportOptions: Sendable, Hashable {
    /// The policy for null values.
    public var null = ImportNullPolicy.clear
    /// The policy that decides when the import tries the next key of a property.
    public var fallback = ImportFallbackPolicy.whenNull
    /// The policy for properties whose keys are absent in a row.
    public var absent = ImportAbsentPolicy.leave
    /// The policy that decides whether a value in the source replaces an existing value.
    public var value = ImportValuePolicy.set
    /// The policy for the members of to-many relationships.
    public var members = ImportMembersPolicy.add
    /// The policy for keys that identify no existing object.
    public var missing = ImportMissingPolicy.create
    /// The style of the keys for properties whose key is derived from their name.
    public var keyStyle = ImportKeyStyle.asNamed
    /// The number of rows in a batch, at least 1.
    ///
    /// The import looks up the objects of a batch with one query for each entity.
    public var batchSize = 1_000
    /// The number of problems that the import tolerates; nil for no limit.
    ///
    /// If there are more problems, the import throws ``RecordStackError/Code/importFailed``.
    public var mostProblems: Int?
    /// The format of the text, which determines how the text is divided into rows.
    public var format = ImportFormat.json
    /// The profile whose mapping the import uses; nil for the mapping without a profile.
    public var profile: ImportProfile?
    /// True for a dry run: the report says what the import would do, and nothing is changed.
    public var isDryRun = false

    /// Creates options that leave absent properties unchanged and add members.
    public init() {}

    /// The default options, which leave absent properties unchanged and add members.
    public static let patch = ImportOptions()

    /// Options that reset absent properties to their defaults and replace members.
    public static let replace: ImportOptions = {
        var options = ImportOptions()
        options.absent = .setDefault
        options.members = .replace
        return options
    }()
}

/// The style of the keys in a source.
public enum ImportKeyStyle: String, Sendable, Hashable, Codable {
    /// Keys that equal the names of the properties: `createdAt`.
    case asNamed
    /// Keys in lower case with underscores: `created_at` for `createdAt`.
    ///
    /// `userID` becomes `user_id`. `urlPath` and `URLPath` both become `url_path`.
    case snakeCase

    /// Returns the key of a property.
    func key(of name: String) -> String {
        switch self {
        case .asNamed: name
        case .snakeCase: Self.snakeCase(name)
        }
    }

    /// Returns a name in snake case.
    ///
    /// A word begins with a capital after a small letter or a digit. In a run of capitals before a
    /// small letter, the last capital begins a word.
    private static func snakeCase(_ name: String) -> String {
        let characters = Array(name)
        var key = ""
        for (index, character) in characters.enumerated() {
            if character.isUppercase && index > 0 && characters[index - 1] != "_" {
                let followsCapital = characters[index - 1].isUppercase
                let next = index + 1 < characters.count ? characters[index + 1] : nil
                if !followsCapital || next?.isLowercase == true { key.append("_") }
            }
            key += character.lowercased()
        }
        return key
    }
}

/// The format of a text that is imported or exported.
public enum ImportFormat: String, Sendable, Hashable, Codable {
    /// One JSON text: an array of rows, or one row.
    case json
    /// One JSON text on each line.
    ///
    /// An import ignores empty lines. It skips a line that is not JSON and reports a problem.
    case ndjson
}
