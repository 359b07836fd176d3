/// The treatment of a property whose value is null in the source.
///
/// ```swift
/// @Attribute(.importing(null: .ignore)) var nickname: String?
/// ```
///
/// By default, a null counts only if no key of the property has a value: see
/// ``ImportFallbackPolicy``.
public enum ImportNullPolicy: String, Sendable, Hashable, Codable {
    /// Sets the property to nil.
    ///
    /// A required attribute takes its default. If it has none, the row is left out and reported.
    case clear
    /// Treats the null as a missing key, so that ``ImportAbsentPolicy`` decides.
    ///
    /// By default, the property keeps its value.
    case ignore
    /// Sets the property to its declared default, or to nil if there is none.
    ///
    /// A required attribute without a default is treated as with `clear`.
    case setDefault
}

/// The condition under which an import tries the next of a property's keys.
///
/// ```swift
/// @Attribute(.imported(from: "ended", "expires"), .importing(fallback: .whenAbsent))
/// var end: Date?
/// ```
public enum ImportFallbackPolicy: String, Sendable, Hashable, Codable {
    /// Tries the next key if a key is missing or its value is null.
    ///
    /// The import takes the first value that is not null.
    case whenNull
    /// Tries the next key only if a key is missing.
    ///
    /// A null under a preferred key takes precedence over a value under a later key.
    case whenAbsent
}

/// The treatment of a property of an existing object if the source has none of the property's keys.
///
/// Attributes that identify the object keep their values. A default that is computed for each
/// object, such as `UUID()` or `Date()`, applies only if the object has no value, so that importing
/// the same source again changes nothing. A nested object that consists of its key only does not
/// change the object's properties.
///
/// A row without the keys of a relationship does not undo what another row of the same import has
/// said about the relationship from the other side. If each batch is saved, this protection
/// covers the rows of one batch.
///
/// ```swift
/// @Attribute(.importing(absent: .setDefault)) var status: String = "open"
/// ```
public enum ImportAbsentPolicy: String, Sendable, Hashable, Codable {
    /// Keeps the property as it is: the source is a patch.
    case leave
    /// Sets the property to nil, or empties a to-many relationship.
    ///
    /// A required attribute takes its default, or keeps its value if it has none.
    case clear
    /// Sets the property to its declared default, or to nil if there is none.
    ///
    /// A to-many relationship is emptied.
    case setDefault
}

/// The treatment of a value in the source.
///
/// ```swift
/// @Attribute(.importing(value: .whenNil)) var note: String?
/// ```
public enum ImportValuePolicy: String, Sendable, Hashable, Codable {
    /// Sets the property.
    case set
    /// Sets the property only if it has no value.
    ///
    /// Values that the program or its user wrote are kept.
    case whenNil
    /// Sets the property only in new objects.
    case whenNew
}

/// The treatment of the members of a to-many relationship.
///
/// ```swift
/// @Relationship(.importing(members: .replaceAndDelete), deleteRule: .cascade)
/// var lines: ToMany<Line>
/// ```
public enum ImportMembersPolicy: String, Sendable, Hashable, Codable {
    /// Adds the members in the source and keeps the existing ones.
    case add
    /// Replaces the members with those in the source.
    ///
    /// An ordered relationship takes the order of the source.
    case replace
    /// Replaces the members and deletes the objects that leave the relationship.
    ///
    /// The delete rules of these objects apply. They are deleted at the end of the import or, if
    /// each batch is saved, at the end of their batch. An object that another row has related
    /// again by then is not deleted.
    case replaceAndDelete
}

/// The treatment of a key that identifies no existing object.
///
/// If the import creates no object for the key, a later row may still add the object, and the
/// import relates it then. Keys that identify no object at the end of the import are reported.
///
/// ```swift
/// @Relationship(.imported(from: "team_id"), .importing(missing: .skip)) var team: Team?
/// ```
public enum ImportMissingPolicy: String, Sendable, Hashable, Codable {
    /// Creates an object with the key and the entity's defaults.
    ///
    /// If the entity requires more than the key and the inverse reference, the key is
    /// treated as with `skip`.
    case create
    /// Reports the key and relates no object.
    case skip
    /// Leaves the row out and reports it.
    ///
    /// The object must exist before the row.
    case fail
}
