/// A note, which belongs to a person and is deleted with the person.
struct NoteRow: Sendable {
    var key: Int64
    var text: String
    var stars: Int
    /// The key of the person.
    var person: Int64
}

/// A tag, which any number of persons can have.
struct TagRow: Sendable {
    var key: Int64
    var name: String
    var number: Int
}

/// A company, to which persons refer.
struct CompanyRow: Sendable {
    var key: Int64
    var number: Int
    var name: String
}

/// The link between a person and a tag.
struct LinkRow: Sendable {
    var person: Int64
    var tag: Int64
}
