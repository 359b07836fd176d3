/// A note, which belongs to a person and goes with it.
struct NoteRow: Sendable {
    var key: Int64
    var text: String
    var stars: Int
    /// The key of the person.
    var person: Int64
}

/// A tag, which any number of persons have.
struct TagRow: Sendable {
    var key: Int64
    var name: String
    var number: Int
}

/// A company, which persons refer to.
struct CompanyRow: Sendable {
    var key: Int64
    var number: Int
    var name: String
}

/// That a person has a tag.
struct LinkRow: Sendable {
    var person: Int64
    var tag: Int64
}
