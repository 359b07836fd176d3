extension AttributeOption {
    /// The keys or key paths under which a JSON object has the value, most wanted first.
    ///
    /// A key path's steps are divided by dots; a step into an array is its index, from 0:
    /// `"geometry.coordinates.0"`. A dot that belongs to a key has a backslash before it: `"app\\.name"`. A null or a
    /// missing key gives way to the next one.
    /// - Parameters:
    ///   - orOwnName: whether the property's own name, in the style that the import has for keys, comes last.
    ///   - profile: the profile that it is declared for; nil for all that declare no keys of their own.
    public static func imported(
        from keys: String..., orOwnName: Bool = false, profile: ImportProfile? = nil
    ) -> AttributeOption {
        AttributeOption { $0.imports.edit(profile) { $0.add(keys, orOwnName: orOwnName) } }
    }

    /// No import touches the attribute, and whatever its name is, no key of the source stands for it.
    public static let notImported = AttributeOption { $0.imports.isImported = false }

    /// No import in this profile touches the attribute.
    public static func notImported(profile: ImportProfile) -> AttributeOption {
        AttributeOption { $0.imports.edit(profile) { $0.isImported = false } }
    }

    /// What an import does with a null, where no key is there, and with a value, and what gives way to the next key. What
    /// is nil is as the import says.
    public static func importing(
        null: ImportNullPolicy? = nil, absent: ImportAbsentPolicy? = nil,
        value: ImportValuePolicy? = nil, fallback: ImportFallbackPolicy? = nil,
        profile: ImportProfile? = nil
    ) -> AttributeOption {
        AttributeOption {
            $0.imports.edit(profile) {
                $0.set(null: null, fallback: fallback, absent: absent, value: value)
            }
        }
    }

    /// What a value becomes before it is converted.
    ///
    /// ```swift
    /// @Attribute(.importTransform { $0 == "N/A" ? .null : $0 }) var rating: Double?
    /// @Attribute(.importTransform { .string($0.string?.lowercased() ?? "") }) var email: String
    /// ```
    ///
    /// It sees the value as it is in the source, objects and arrays whole, and no nulls. A null that it answers
    /// counts as one of the source. Where it throws, the value is one that does not convert. Of several, each sees what
    /// the one before it has answered.
    public static func importTransform(
        profile: ImportProfile? = nil,
        _ transform: @escaping @Sendable (ImportValue) throws -> ImportValue
    ) -> AttributeOption {
        AttributeOption { $0.imports.edit(profile) { $0.transforms.append(transform) } }
    }

    /// What a value becomes when it is exported: the way back from ``importTransform(profile:_:)``.
    ///
    /// ```swift
    /// @Attribute(
    ///     .importTransform { .number(($0.double ?? 0) / 100) },
    ///     .exportTransform { .number(($0.double ?? 0) * 100) }) var price: Double
    /// ```
    ///
    /// It sees the value as it would be written, and no nulls. Where it throws, the export does.
    public static func exportTransform(
        profile: ImportProfile? = nil,
        _ transform: @escaping @Sendable (ImportValue) throws -> ImportValue
    ) -> AttributeOption {
        AttributeOption { $0.imports.edit(profile) { $0.exportTransform = transform } }
    }

    /// Says how a date is written in JSON; several formats are tried in order.
    ///
    /// Without one, ISO 8601 is read from text, and seconds since 1970 from numbers; text of digits alone is a problem. Where both
    /// number formats are declared, a number of 9 to 11 digits is seconds and one of 12 to 14 digits milliseconds; another
    /// is read by the first of them in which its year is 1 to 9999. A date of another year is a problem. An export writes the
    /// first format that keeps the date.
    public static func dateFormat(
        _ formats: ImportDateFormat..., profile: ImportProfile? = nil
    ) -> AttributeOption {
        AttributeOption { $0.imports.edit(profile) { $0.dateFormats += formats } }
    }
}

/// How a date is written in JSON.
public enum ImportDateFormat: Sendable, Hashable {
    /// Text as ISO 8601 and RFC 3339 write it: `2018-02-07T01:26:13.5Z`, `2018-02-07`.
    case iso8601
    /// Text in a pattern of Unicode's date fields, such as `MMM dd yyyy`; names are English, and
    /// a pattern without a zone means UTC.
    case pattern(String)
    /// A number of seconds since 1970-01-01 00:00 UTC.
    case secondsSince1970
    /// A number of milliseconds since 1970-01-01 00:00 UTC.
    case millisecondsSince1970
}
