extension AttributeOption {
    /// Declares the keys or key paths of the value in a JSON object.
    ///
    /// By default, if a key is missing or its value is null, the import tries the next key. Dots
    /// separate the parts of a key path. For an element of an array, write its index, counted from
    /// 0: `"geometry.coordinates.0"`. If a key itself contains a dot, put a backslash before the
    /// dot: `"app\\.name"`.
    /// - Parameters:
    ///   - keys: the keys or key paths, with the preferred key first.
    ///   - orOwnName: whether to try the property's own name last. The `keyStyle` of the import's
    ///     options converts the name.
    ///   - profile: the profile for which the keys are declared. If it is nil, the keys apply to
    ///     imports without a profile, and to each profile for which the property declares no keys.
    public static func imported(
        from keys: String..., orOwnName: Bool = false, profile: ImportProfile? = nil
    ) -> AttributeOption {
        AttributeOption { $0.imports.edit(profile) { $0.add(keys, orOwnName: orOwnName) } }
    }

    /// Excludes the attribute from imports, even if the source has a key with its name.
    public static let notImported = AttributeOption { $0.imports.isImported = false }

    /// Excludes the attribute from imports with the given profile.
    public static func notImported(profile: ImportProfile) -> AttributeOption {
        AttributeOption { $0.imports.edit(profile) { $0.isImported = false } }
    }

    /// Sets the attribute's import policies for nulls, missing keys, values and alternative keys.
    ///
    /// If a policy is nil, the policy in the import's options applies.
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
    /// The closure receives the value from the source unchanged, even if the value is an object or
    /// array. It is not called for null.
    ///
    /// If the closure returns null, the import continues as if the source contained null. If the
    /// closure throws, the import reports that the value cannot be converted. If you declare
    /// several transforms, each transform receives the result of the previous transform.
    public static func importTransform(
        profile: ImportProfile? = nil,
        _ transform: @escaping @Sendable (ImportValue) throws -> ImportValue
    ) -> AttributeOption {
        AttributeOption { $0.imports.edit(profile) { $0.transforms.append(transform) } }
    }

    /// Transforms a value when it is exported, to reverse ``importTransform(profile:_:)``.
    ///
    /// ```swift
    /// @Attribute(
    ///     .importTransform { .number(($0.double ?? 0) / 100) },
    ///     .exportTransform { .number(($0.double ?? 0) * 100) }) var price: Double
    /// ```
    ///
    /// The closure receives the value that the export would otherwise write. It is not called for
    /// null. If the closure throws, the export throws.
    public static func exportTransform(
        profile: ImportProfile? = nil,
        _ transform: @escaping @Sendable (ImportValue) throws -> ImportValue
    ) -> AttributeOption {
        AttributeOption { $0.imports.edit(profile) { $0.exportTransform = transform } }
    }

    /// Declares how dates are written in JSON.
    ///
    /// The import tries the formats in the order in which you declare them. If you declare none,
    /// the import reads text as ISO 8601 and numbers as seconds since 1970, and rejects text that
    /// consists only of digits.
    ///
    /// If you declare both `.secondsSince1970` and `.millisecondsSince1970`, a number of 9 to 11
    /// digits is in seconds, and a number of 12 to 14 digits is in milliseconds. For any other
    /// number, the import tries the two formats in their declared order, and uses the first one
    /// that gives a year from 1 to 9999. If neither does, the import rejects the number.
    ///
    /// An export writes a date in the first format that preserves it.
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
    /// Text in the form of a pattern of Unicode date fields, such as `MMM dd yyyy`.
    ///
    /// Names of months and days are in English. Without a time zone in the pattern, dates are in
    /// UTC.
    case pattern(String)
    /// A number of seconds since 1970-01-01 00:00 UTC.
    case secondsSince1970
    /// A number of milliseconds since 1970-01-01 00:00 UTC.
    case millisecondsSince1970
}
