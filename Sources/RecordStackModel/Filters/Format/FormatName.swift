/// Writes names and texts in the form that a format string has.
enum FormatName {
    /// Returns the name of a property, with a `#` if it could be taken for something else.
    static func text(_ name: String) -> String {
        let scalars = name.unicodeScalars
        guard let first = scalars.first, FormatLexer.startsName(first),
            scalars.allSatisfy(FormatLexer.continuesName)
        else { return "#" + quoted(name) }
        return (FormatKeyword(word: name) == nil ? "" : "#") + name
    }

    /// Returns a text in quotes, with invisible characters written as escape sequences.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                result += "\\"
                result.unicodeScalars.append(scalar)
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if hidden.contains(scalar.properties.generalCategory), scalar.value < 0x10000 {
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }

    private static let hidden: Set<Unicode.GeneralCategory> = [
        .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
    ]
}
