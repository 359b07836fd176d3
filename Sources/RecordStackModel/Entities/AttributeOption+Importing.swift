extension AttributeOption {
    /// Declares the keys or key paths of the value in a JSON object, in order of preference.
    ///
    /// The steps of a key path are separated by dots. A step into an array is an index, starting at
    /// 0: `"geometry.coordinates.0"`. Put a backslash before a dot that belongs to a key:
    /// `"app\\.name"`. If a key is missing or its value is null, the import tries the next key.
    /// - Parameters:
    ///   - orOwnName: whether to try the property's own name last, in the import's key style.
    ///   - profile: the profile that the keys are for; nil for all profiles that declare no keys.
    public static func imported(
        from keys: String..., orOwnName: Bool = false, profile: ImportProfile? = nil
    ) -> AttributeOption {
        AttributeOption { $0.imports.edit(profile) { $0.add(keys, orOwnName: orOwnName) } }
    }

    /// Excludes the attribute from imports, even if a key of the source has its name.
    public static let notImported = AttributeOption { $0.imports.isImported = false }

    /// Excludes the attribute from imports in a profile.
    public static func notImported(profile: ImportProfile) -> AttributeOption {
        AttributeOption { $0.imports.edit(profile) { $0.isImported = false } }
    }

    /// Sets how an import treats nulls, missing keys, values and fallback keys of the attribute.
    ///
    /// The options of the import decide each policy that is nil.
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

    /// Transforms a value before the import converts it.
    ///
    /// ```swift
    /// @Attribute(.importTransform { $0 == "N/A" ? .null : $0 }) var rating: Double?
    /// @Attribute(.importTransform { .string($0.string?.lowercased() ?? "") }) var email: String
    /// ```
    ///
    /// The closure receives the value as it is in the source, including whole objects and arrays.
    /// It is not called for null. If it returns null, the import treats the value as null in the
    /// source. If it throws, the import treats the value as one that cannot be converted. If you
    /// declare several transforms, each one receives the result of the one before.
    public static func importTransform(
        profile: ImportProfile? = nil,
        _ transform: @escaping @Sendable (ImportValue) throws -> ImportValue
    ) -> AttributeOption {
        AttributeOption { $0.imports.edit(profile) { $0.transforms.append(transform) } }
    }

    /// Transforms a value when it is exported, as the reverse of ``importTransform(profile:_:)``.
    ///
    /// ```swift
    /// @Attribute(
    ///     .importTransform { .number(($0.double ?? 0) / 100) },
    ///     .exportTransform { .number(($0.double ?? 0) * 100) }) var price: Double
    /// ```
    ///
    /// The closure receives the value as it would be written. It is not called for null. If it
    /// throws, the export throws.
    public static func exportTransform(
        profile: ImportProfile? = nil,
        _ transform: @escaping @Sendable (ImportValue) throws -> ImportValue
    ) -> AttributeOption {
        AttributeOption { $0.imports.edit(profile) { $0.exportTransform = transform } }
    }

    /// Declares how dates are written in JSON.
    ///
    /// The import tries several formats in order. Without a declared format, it reads text as ISO
    /// 8601 and numbers as seconds since 1970; text that consists only of digits is not a date.
    ///
    /// If you declare both number formats, a number of 9 to 11 digits counts seconds and a number
    /// of 12 to 14 digits counts milliseconds. The import reads any other number in the first of
    /// the two formats that gives a year from 1 to 9999. Other years are not dates. An export
    /// writes the first format that preserves the date.
    public static func dateFormat(
        _ formats: ImportDateFormat..., profile: ImportProfile? = nil
    ) -> AttributeOption {
        AttributeOption { $0.imports.edit(profile) { $0.dateFormats += formats } }
    }
}

/// A format of dates in JSON.
public enum ImportDateFormat: Sendable, Hashable {
    /// Text in ISO 8601 or RFC 3339, such as `2018-02-07T01:26:13.5Z` or `2018-02-07`.
    case iso8601
    /// Text in a pattern of Unicode's date fields, such as `MMM dd yyyy`.
    ///
    /// Names in the text are English. A pattern without a time zone means UTC.
    case pattern(String)
    /// A number of seconds since 1970-01-01 00:00 UTC.
    case secondsSince1970
    /// A number of milliseconds since 1970-01-01 00:00 UTC.
    case millisecondsSince1970
}
