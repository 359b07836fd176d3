extension RelationshipOption {
    /// Declares the keys or key paths of the relationship in a JSON object.
    ///
    /// The value under a JSON key is an object, the key of an object, or an array of objects or
    /// keys. By default, if a JSON key is missing or its value is null, the import tries the next
    /// JSON key.
    /// - Parameters:
    ///   - keys: the keys or key paths, with the preferred key first.
    ///   - orOwnName: whether to try the property's own name last. The `keyStyle` of the import's
    ///     options converts the name.
    ///   - profile: the profile for which the keys are declared. If it is nil, the keys apply to
    ///     imports without a profile, and to each profile for which the property declares no keys.
    public static func imported(
        from keys: String..., orOwnName: Bool = false, profile: ImportProfile? = nil
    ) -> RelationshipOption {
        RelationshipOption { $0.imports.edit(profile) { $0.add(keys, orOwnName: orOwnName) } }
    }

    /// Excludes the relationship from imports.
    public static let notImported = RelationshipOption { $0.imports.isImported = false }

    /// Excludes the relationship from imports with the given profile.
    public static func notImported(profile: ImportProfile) -> RelationshipOption {
        RelationshipOption { $0.imports.edit(profile) { $0.isImported = false } }
    }

    /// Sets the relationship's import policies, such as the policy for its members.
    ///
    /// `missing` applies to a key that identifies no existing object. `absent` applies to a row
    /// that contains none of the relationship's JSON keys. If a policy is nil, the policy in the
    /// import's options applies.
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
