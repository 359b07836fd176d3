import Foundation

/// J2: the persons as an array of objects, each with its company, notes and tags inside.
enum NestedJSON {
    /// Returns the text.
    ///
    /// - Parameter changed: the number of persons, spread over all, that have one more visit.
    static func text(of graph: GraphData, changed: Int = 0) -> Data {
        let step = changed == 0 ? 0 : graph.persons.count / changed
        let notes = Dictionary(grouping: graph.notes, by: \.person)
        let links = Dictionary(grouping: graph.links, by: \.person)
        var text = "["
        text.reserveCapacity(graph.persons.count * 500)
        for (place, person) in graph.persons.enumerated() {
            if place > 0 { text += "," }
            var row = person
            if step > 0 && place % step == 0 { row.visits += 1 }
            append(row, to: &text)
            text += ",\"company\":\(company(graph.companies[Int(person.company) - 1]))"
            text += ",\"notes\":[\(list(notes[person.key], note))]"
            text += ",\"tags\":[\(list(links[person.key]) { tag(graph.tags[Int($0.tag) - 1]) })]}"
        }
        return Data((text + "]").utf8)
    }

    private static func list<Row>(_ rows: [Row]?, _ write: (Row) -> String) -> String {
        (rows ?? []).map(write).joined(separator: ",")
    }

    /// Appends a person. The words of the data need no escapes.
    private static func append(_ person: PersonRow, to text: inout String) {
        text += "{\"email\":\"\(person.email)\",\"firstName\":\"\(person.firstName)\","
        text += "\"lastName\":\"\(person.lastName)\",\"city\":\"\(person.city)\","
        text += "\"age\":\(person.age),\"visits\":\(person.visits),\"score\":\(person.score),"
        text += "\"balance\":\(person.balance),\"isActive\":\(person.isActive),\"note\":"
        text += person.note.map { "\"\($0)\"" } ?? "null"
    }

    private static func company(_ row: CompanyRow) -> String {
        "{\"number\":\(row.number),\"name\":\"\(row.name)\"}"
    }

    private static func note(_ row: NoteRow) -> String {
        "{\"number\":\(row.key),\"text\":\"\(row.text)\",\"stars\":\(row.stars)}"
    }

    private static func tag(_ row: TagRow) -> String {
        "{\"name\":\"\(row.name)\",\"number\":\(row.number)}"
    }
}
