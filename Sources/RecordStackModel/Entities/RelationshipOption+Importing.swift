extension RelationshipOption {
    /// Declares the keys or key paths of the relationship in a JSON object, in order of preference.
    ///
    /// The value is an object, the key of an object, or an array of these. As with attributes, the
    /// import tries the next key if a key is missing or its value is null.
    /// - Parameters:
    ///   - orOwnName: whether to try the property's own name last, in the import's key style.
    ///   - profile: the profile that the keys are for; nil for all profiles that declare no keys.
    public static func imported(
        from keys: String..., orOwnName: Bool = false, profile: ImportProfile? = nil
    ) -> RelationshipOption {
        RelationshipOption { $0.imports.edit(profile) { $0.add(keys, orOwnName: orOwnName) } }
    }

    /// Excludes the relationship from imports.
    public static let notImported = RelationshipOption { $0.imports.isImported = false }

    /// Excludes the relationship from imports in a profile.
    public static func notImported(profile: ImportProfile) -> RelationshipOption {
        RelationshipOption { $0.imports.edit(profile) { $0.isImported = false } }
    }

    /// Sets how an import treats the values, the members and the missing keys of the relationship.
    ///
    /// `missing` applies to a key that identifies no existing object, and `absent` to a row without
    /// the relationship's keys. The options of the import decide each policy that is nil.
    public static func importing(
        null: ImportNullPolicy? = nil, absent: ImportAbsentPolicy? = nil,
        value: ImportValuePolicy? = nil, members: ImportMembersPolicy? = nil,
        missing: ImportMissingPolicy? = nil, fallback: ImportFallbackPolicy? = nil,
        profile: ImportProfile? = nil
    ) -> RelationshipOption {
        RelationshipOption {
            $0.imports.edit(profile) {
                $0.set(
                    null: null, fallback: fallback, absent: absent, value: value, members: members,
                    missing: missing)
            }
        }
    }
}
