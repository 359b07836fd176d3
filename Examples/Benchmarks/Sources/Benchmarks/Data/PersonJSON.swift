import Foundation

/// J1: the persons as an array of flat objects, with the names of their attributes as keys.
enum PersonJSON {
    static func text(of persons: [PersonRow]) -> Data {
        var text = "["
        text.reserveCapacity(persons.count * 200)
        for person in persons {
            if text.utf8.count > 1 { text += "," }
            append(person, to: &text)
        }
        return Data((text + "]").utf8)
    }

    /// Appends a person. The words of the data need no escapes.
    private static func append(_ person: PersonRow, to text: inout String) {
        text += "{\"email\":\"\(person.email)\",\"firstName\":\"\(person.firstName)\","
        text += "\"lastName\":\"\(person.lastName)\",\"city\":\"\(person.city)\","
        text += "\"age\":\(person.age),\"visits\":\(person.visits),\"score\":\(person.score),"
        text += "\"balance\":\(person.balance),\"isActive\":\(person.isActive),\"note\":"
        text += person.note.map { "\"\($0)\"" } ?? "null"
        text += ",\"company\":\(person.company)}"
    }
}
