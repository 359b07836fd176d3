/// What an import does with an attribute or a to-one relationship whose value is null in the source.
///
/// ```swift
/// @Attribute(.importing(null: .ignore)) var nickname: String?
/// ```
///
/// A null counts where none of the keys that are looked under has a value; see ``ImportFallbackPolicy``.
public enum ImportNullPolicy: String, Sendable, Hashable, Codable {
    /// It becomes nil. A required attribute takes its default; without one, the row is left out and reported.
    case clear
    /// It stays as it is, as if the key were missing.
    case ignore
    /// It takes the declared default, or nil where there is none. A required attribute without a default, as `clear`.
    case setDefault
}

/// What of the keys that a property is looked for under gives way to the next one.
///
/// ```swift
/// @Attribute(.imported(from: "ended", "expires"), .importing(fallback: .whenAbsent)) var end: Date?
/// ```
public enum ImportFallbackPolicy: String, Sendable, Hashable, Codable {
    /// A null and a key that is missing: the most wanted value counts.
    case whenNull
    /// A key that is missing alone: a null under a more wanted key counts more than a value under the next.
    case whenAbsent
}

/// What an import does with a property of an object that was found, where none of the property's keys is in the source.
///
/// What an object is known by stays. A default that is made anew for each object, such as `UUID()` or `Date()`, is taken
/// where the object has no value: importing the same again changes nothing. A nested object that is nothing but a key says
/// nothing of the object's properties: they stay. And who is silent on a relationship takes
/// nothing away that another row of the same import has said of it from the other side; where each batch is saved, another
/// row of the batch.
///
/// ```swift
/// @Attribute(.importing(absent: .setDefault)) var status: String = "open"
/// ```
public enum ImportAbsentPolicy: String, Sendable, Hashable, Codable {
    /// It stays as it is: the source is a patch.
    case leave
    /// It becomes nil, and empty where it is a to-many relationship. A required attribute takes its default, or stays as
    /// it is without one.
    case clear
    /// It takes the declared default, or nil where there is none; a to-many relationship is emptied.
    case setDefault
}

/// What an import does with a value.
///
/// ```swift
/// @Attribute(.importing(value: .whenNil)) var note: String?
/// ```
public enum ImportValuePolicy: String, Sendable, Hashable, Codable {
    /// The property takes it.
    case set
    /// The property takes it where it has none: what the program or its user wrote stays.
    case whenNil
    /// The property takes it in new objects alone.
    case whenNew
}

/// What an import does with the members of a to-many relationship.
///
/// ```swift
/// @Relationship(.importing(members: .replaceAndDelete), deleteRule: .cascade) var lines: ToMany<Line>
/// ```
public enum ImportMembersPolicy: String, Sendable, Hashable, Codable {
    /// Those of the source become members; the others stay.
    case add
    /// Those of the source become the members, in an ordered relationship in their order; the others leave.
    case replace
    /// The same, and those that leave are deleted, with what their delete rules say, at the end of the import; where each
    /// batch is saved, at the end of its batch. Those that another row has taken by then stay.
    case replaceAndDelete
}

/// What an import does with the key of an object that there is not.
///
/// Where no object is made of the key, a later row of the import may bring it, and it is related then; what is not there by
/// the end is reported.
///
/// ```swift
/// @Relationship(.imported(from: "team_id"), .importing(missing: .skip)) var team: Team?
/// ```
public enum ImportMissingPolicy: String, Sendable, Hashable, Codable {
    /// It makes an object that has the key, and the defaults. If an object requires more than that and the inverse
    /// reference, as `skip`.
    case create
    /// It reports the key, and relates nothing.
    case skip
    /// It leaves the row out and reports it. The object has to be there before the row.
    case fail
}
