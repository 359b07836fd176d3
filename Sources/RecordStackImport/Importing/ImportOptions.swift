public import RecordStackModel

/// How an import goes about what properties do not declare themselves.
///
/// ```swift
/// var options = ImportOptions.replace
/// options.keyStyle = .snakeCase
/// options.mostProblems = 100
/// try Person.importJSON(data, in: context, options: options)
/// ```
///
/// What a property declares with `.importing(…)` comes first.
public struct ImportOptions: Sendable, Hashable {
    /// What becomes of nulls.
    public var null = ImportNullPolicy.clear
    /// What gives way to the next of the keys that a property is looked for under.
    public var fallback = ImportFallbackPolicy.whenNull
    /// What becomes of properties that a row says nothing of.
    public var absent = ImportAbsentPolicy.leave
    /// What becomes of values.
    public var value = ImportValuePolicy.set
    /// What becomes of the members of to-many relationships.
    public var members = ImportMembersPolicy.add
    /// What becomes of the keys of objects that there are not.
    public var missing = ImportMissingPolicy.create
    /// How the keys are written that stand for properties by their names.
    public var keyStyle = ImportKeyStyle.asNamed
    /// How many rows are looked up together, from 1: each batch has one query for each entity.
    public var batchSize = 1_000
    /// With more problems than this, the import throws ``RecordStackError/Code/importFailed``; nil for no limit.
    public var mostProblems: Int?
    /// How the text is divided into rows.
    public var format = ImportFormat.json
    /// The second mapping that is used; nil for the one that is declared without a profile.
    public var profile: ImportProfile?
    /// Whether nothing is changed: the report says what an import would do.
    public var isDryRun = false

    /// The usual way: what a row does not say stays, and members are added.
    public init() {}

    /// What a row does not say stays as it is, and members are added. The usual way.
    public static let patch = ImportOptions()

    /// Objects become what their rows say: what is absent takes its default, and members are replaced.
    public static let replace: ImportOptions = {
        var options = ImportOptions()
        options.absent = .setDefault
        options.members = .replace
        return options
    }()
}

/// How the keys of a source are written.
public enum ImportKeyStyle: String, Sendable, Hashable, Codable {
    /// As the properties are named: `createdAt`.
    case asNamed
    /// In small letters with underscores: `created_at` for `createdAt`, `user_id` for `userID`, `url_path` for `urlPath`
    /// and `URLPath`.
    case snakeCase

    /// The key of a property.
    func key(of name: String) -> String {
        switch self {
        case .asNamed: name
        case .snakeCase: Self.snakeCase(name)
        }
    }

    /// A word begins with a capital behind a small letter or a digit, and with the last of several capitals where a small
    /// letter follows.
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

/// How a text is divided into rows.
public enum ImportFormat: String, Sendable, Hashable, Codable {
    /// One JSON text: an array of rows, or one row.
    case json
    /// A JSON text on each line, each of them a row; empty lines do not count. A line that is not JSON is left out and
    /// reported.
    case ndjson
}
