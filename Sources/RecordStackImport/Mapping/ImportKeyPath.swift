import RecordStackModel

/// A declared key path: keys of objects and indexes of arrays, divided by dots. A backslash takes the character behind it
/// as it is.
struct ImportKeyPath {
    let steps: [String]

    /// - Throws: ``RecordStackError/Code/misuse`` for an empty step.
    init(_ text: String, entity: EntityDescription) throws {
        var (steps, step, isEscaped) = ([String](), "", false)
        for character in text {
            switch character {
            case _ where isEscaped:
                step.append(character)
                isEscaped = false
            case "\\": isEscaped = true
            case ".":
                steps.append(step)
                step = ""
            default: step.append(character)
            }
        }
        steps.append(step)
        if steps.contains(where: \.isEmpty) || isEscaped {
            let what = isEscaped ? "a backslash at its end" : "an empty step"
            throw RecordStackError(
                .misuse,
                "“\(text)” is no key path: it has \(what). Write keys divided by single dots, as in "
                    + ".imported(from: \"contact.mail\"); a dot within a key has a backslash before it.",
                entity: entity.name)
        }
        self.steps = steps
    }

    /// A key as a path of one step.
    static func escaped(_ key: String) -> String {
        key.replacing("\\", with: "\\\\").replacing(".", with: "\\.")
    }
}
