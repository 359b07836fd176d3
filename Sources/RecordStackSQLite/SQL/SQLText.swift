/// The only code that turns names into SQL.
///
/// Values never become text: they are bound. Names come from the model and are quoted.
enum SQLText {
    /// Returns a name in quotes.
    ///
    /// The search for quotes is by Unicode scalar. To Swift, a quote before a combining mark is
    /// another character. To SQLite, it still ends the name.
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

    /// Returns the result of `joined(separator:)`, at a lower cost.
    ///
    /// On first use, that method searches the process for a conformance, which takes longer than
    /// opening a stack and looking up an object.
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
    /// The name of the row's entity, in tables of several entities.
    static let entity = "_entity"
    /// In a join table, the second object's position in the first object's order.
    static let position = "_position"
    static let inversePosition = "_inverse_position"
}

/// The table of the store's metadata.
enum Metadata {
    static let table = "_recordstack"
    static let format = "format"
    static let uuid = "uuid"
    static let model = "model"
    static let nextToken = "token"
    static func token(_ number: Int64) -> String { "token:\(number)" }
    /// The names of all token rows are at least this one, and less than `pastTokens`.
    static let firstToken = "token:"
    static let pastTokens = "token;"
    static func lease(_ root: String) -> String { "lease:" + root }
    /// The last incarnation that was given to re-inserted rows.
    static let incarnation = "incarnation"

    /// The layout of the tables that this version writes.
    ///
    /// In format 1, a re-inserted row has the deleted row's incarnation plus 1, and there is no
    /// counter of incarnations.
    static let currentFormat: Int64 = 2
    /// The number that marks a database file as a RecordStack store ("RcSt").
    static let applicationID: Int64 = 0x5263_5374
}
