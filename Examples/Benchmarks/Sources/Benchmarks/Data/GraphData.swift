/// The persons with their related objects: a company, two notes and three tags each.
struct GraphData: Sendable {
    static let companyCount = 1_000
    static let tagCount = 500
    private static let notesEach = 2
    private static let tagsEach = 3

    private(set) var persons: [PersonRow]
    let companies: [CompanyRow]
    /// The notes, in the order of their persons.
    let notes: [NoteRow]
    let tags: [TagRow]
    /// The links, in the order of their persons, without duplicates.
    let links: [LinkRow]

    init(_ data: PersonData) {
        var generator = SplitMix64(seed: 43)
        persons = data.persons
        companies = (1...Self.companyCount).map { number in
            CompanyRow(key: Int64(number), number: number, name: "Company \(number)")
        }
        tags = (1...Self.tagCount).map { number in
            TagRow(
                key: Int64(number), name: "tag \(number)",
                number: .random(in: 0..<1_000, using: &generator))
        }
        var notes: [NoteRow] = []
        var links: [LinkRow] = []
        notes.reserveCapacity(persons.count * Self.notesEach)
        links.reserveCapacity(persons.count * Self.tagsEach)
        for person in data.persons {
            for _ in 0..<Self.notesEach {
                notes.append(
                    NoteRow(
                        key: Int64(notes.count + 1), text: "note \(notes.count) on a person",
                        stars: .random(in: 0...5, using: &generator), person: person.key))
            }
            for tag in Self.someTags(&generator) {
                links.append(LinkRow(person: person.key, tag: tag))
            }
        }
        self.notes = notes
        self.links = links
    }

    /// Returns different tags.
    private static func someTags(_ generator: inout SplitMix64) -> [Int64] {
        var tags: [Int64] = []
        while tags.count < tagsEach {
            let tag = Int64.random(in: 1...Int64(tagCount), using: &generator)
            if !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }

    /// Returns the fingerprint after the first persons are deleted, with their notes and links.
    func fingerprint(deleting count: Int) -> Fingerprint {
        let left = persons.dropFirst(count)
        let first = left.first?.key ?? .max
        var fingerprint = Fingerprint(of: left)
        for note in notes where note.person >= first {
            fingerprint.add(note, of: email(note.person))
        }
        for link in links where link.person >= first {
            fingerprint.add(tags[Int(link.tag) - 1], of: email(link.person))
        }
        return fingerprint
    }

    /// The same data with one more visit of each person.
    var visited: GraphData {
        var graph = self
        for place in graph.persons.indices { graph.persons[place].visits += 1 }
        return graph
    }

    /// The fingerprint of the notes and tags of every person.
    var memberFingerprint: Fingerprint {
        var fingerprint = tagFingerprint
        for note in notes { fingerprint.add(note, of: email(note.person)) }
        return fingerprint
    }

    /// The fingerprint of the tags of every person.
    var tagFingerprint: Fingerprint {
        var fingerprint = Fingerprint()
        for link in links { fingerprint.add(tags[Int(link.tag) - 1], of: email(link.person)) }
        return fingerprint
    }

    /// The fingerprint of the persons of every company. A company's number is its key.
    var companyFingerprint: Fingerprint { Fingerprint(of: persons) }

    /// Returns the unique text of a person. Keys count from 1.
    private func email(_ person: Int64) -> String { persons[Int(person) - 1].email }
}
