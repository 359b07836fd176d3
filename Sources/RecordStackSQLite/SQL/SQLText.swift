/// The one place that turns a name into SQL.
///
/// Values never become text: they are bound. Names come from the model and are quoted.
enum SQLText {
    ///
    /// A quote is looked for among the scalars, not the characters: followed by a combining mark it is
    /// another character to Swift, and still the end of the name to SQLite.
    static func quoted(_ name: String) -> String {
        var text = "\""
        for scalar in name.unicodeScalars {
            if scalar == "\"" { text.unicodeScalars.append(scalar) }
            text.unicodeScalars.append(scalar)
        }
        text.unicodeScalars.append("\"")
        return text
    }

    static func placeholders(_ count: Int) -> String {
        "(" + list([String](repeating: "?", count: count), by: ",") + ")"
    }

    /// What `joined(separator:)` makes. That searches the process for a conformance when it is first
    /// used, and a stack opens and looks up its first object in less time.
    static func list(_ parts: [String], by separator: String) -> String {
        var text = ""
        for (index, part) in parts.enumerated() {
            if index > 0 { text += separator }
            text += part
        }
        return text
    }
}

/// The columns that every table has.
enum SystemColumn {
    static let key = "_key"
    static let version = "_version"
    /// The name of the row's own entity, in tables of more than one.
    static let entity = "_entity"
    /// In a join table, the second's position in the first's order, and the reverse.
    static let position = "_position"
    static let inversePosition = "_inverse_position"
}

/// The table of things that are known of the store itself.
enum Metadata {
    static let table = "_recordstack"
    static let format = "format"
    static let uuid = "uuid"
    static let model = "model"
    static let nextToken = "token"
    static func token(_ number: Int64) -> String { "token:\(number)" }
    /// The names of all token rows are from this one on, and before the other.
    static let firstToken = "token:"
    static let pastTokens = "token;"
    static func lease(_ root: String) -> String { "lease:" + root }
    /// The last incarnation that was given to re-inserted rows.
    static let incarnation = "incarnation"

    /// The layout of the tables that this version writes. In format 1 a re-inserted row had the deleted row's incarnation
    /// plus 1, and there was no counter of incarnations.
    static let currentFormat: Int64 = 2
    /// What marks a database file as a store of ours ("RcSt").
    static let applicationID: Int64 = 0x5263_5374
}
