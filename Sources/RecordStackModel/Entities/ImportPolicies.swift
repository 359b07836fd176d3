/// The effect of a null in the source on a property.
///
/// ```swift
/// @Attribute(.importing(null: .ignore)) var nickname: String?
/// ```
///
/// By default, the policy applies only if none of the property's keys has a value other than null:
/// see ``ImportFallbackPolicy``.
public enum ImportNullPolicy: String, Sendable, Hashable, Codable {
    /// Sets the property to nil.
    ///
    /// A required attribute gets its default. If it has no default, the import skips the row and
    /// reports it.
    case clear
    /// Treats the null as a missing key, to which ``ImportAbsentPolicy`` applies.
    ///
    /// Unless you change that policy, the property keeps its value.
    case ignore
    /// Sets the property to its declared default, or to nil if it has none.
    ///
    /// If a required attribute has no default, the import skips the row and reports it.
    case setDefault
}

/// The condition for an import to try the next of a property's keys.
///
/// ```swift
/// @Attribute(.imported(from: "ended", "expires"), .importing(fallback: .whenAbsent))
/// var end: Date?
/// ```
public enum ImportFallbackPolicy: String, Sendable, Hashable, Codable {
    /// Tries the next key if a key is missing or its value is null.
    ///
    /// The import uses the first value that is not null.
    case whenNull
    /// Tries the next key only if a key is missing.
    ///
    /// If the first key that exists has a null, the import uses the null.
    case whenAbsent
}

/// The effect of missing keys on a property of an existing object.
///
/// A property's keys are missing if the row has none of them. Whatever the policy, the attributes
/// that identify the object keep their values. A default that differs for each object, such as
/// `UUID()` or `Date()`, is set only if the attribute has no value. Importing the same source again
/// therefore changes nothing. If a nested object in the source contains only its identity, its
/// other properties do not change.
///
/// If another row of the same import has set a relationship from the other side, missing keys do
/// not undo that change. If the import saves each batch, this protection covers only the rows of
/// one batch.
///
/// ```swift
/// @Attribute(.importing(absent: .setDefault)) var status: String = "open"
/// ```
public enum ImportAbsentPolicy: String, Sendable, Hashable, Codable {
    /// Keeps the property's value, so a source can leave out whatever has not changed.
    case leave
    /// Sets the property to nil, or empties a to-many relationship.
    ///
    /// A required attribute gets its default. If it has no default, it keeps its value.
    case clear
    /// Sets the property to its declared default, or to nil if it has none.
    ///
    /// A to-many relationship becomes empty.
    case setDefault
}

/// The effect of a value in the source on a property.
///
/// ```swift
/// @Attribute(.importing(value: .whenNil)) var note: String?
/// ```
public enum ImportValuePolicy: String, Sendable, Hashable, Codable {
    /// Sets the property to the value.
    case set
    /// Sets the property only if it is nil or, for a to-many relationship, empty.
    ///
    /// Use it to keep values that the program or its user wrote.
    case whenNil
    /// Sets the property only in new objects.
    case whenNew
}

/// The effect of the members in the source on a to-many relationship.
///
/// ```swift
/// @Relationship(.importing(members: .replaceAndDelete), deleteRule: .cascade)
/// var lines: ToMany<Line>
/// ```
public enum ImportMembersPolicy: String, Sendable, Hashable, Codable {
    /// Adds the members in the source, and keeps the existing members.
    case add
    /// Replaces the existing members with the members in the source.
    ///
    /// The members of an ordered relationship get the order of the source.
    case replace
    /// Replaces the existing members, and deletes each object that is then no longer a member.
    ///
    /// The import deletes the objects at its end or, if it saves each batch, at the end of the
    /// batch. It applies their delete rules. If another row has meanwhile linked a removed object
    /// to any object, the import keeps the removed object.
    case replaceAndDelete
}

/// The effect of a key in the source that identifies no existing object.
///
/// If the import neither creates an object for the key nor skips the row, a later row can still
/// create the object. The import then sets the relationship. At its end, the import reports the
/// keys that still identify no object.
///
/// ```swift
/// @Relationship(.imported(from: "team_id"), .importing(missing: .skip)) var team: Team?
/// ```
public enum ImportMissingPolicy: String, Sendable, Hashable, Codable {
    /// Creates an object with the key and the entity's defaults.
    ///
    /// If an object of the entity needs more values than the key and the inverse reference, the
    /// import skips the key as with `skip`.
    case create
    /// Creates no object, and reports the key unless a later row creates the object.
    case skip
    /// Skips the row and reports it.
    ///
    /// The object must exist when the import reaches the row.
    case fail
}
