extension RelationshipOption {
    /// The keys or key paths under which a JSON object has the relationship's value, most wanted first: an object,
    /// the key of one, or an array of these. As with attributes, a null or a missing key gives way to the next one.
    /// - Parameters:
    ///   - orOwnName: whether the property's own name, in the style that the import has for keys, comes last.
    ///   - profile: the profile that it is declared for; nil for all that declare no keys of their own.
    public static func imported(
        from keys: String..., orOwnName: Bool = false, profile: ImportProfile? = nil
    ) -> RelationshipOption {
        RelationshipOption { $0.imports.edit(profile) { $0.add(keys, orOwnName: orOwnName) } }
    }

    /// No import touches the relationship.
    public static let notImported = RelationshipOption { $0.imports.isImported = false }

    /// No import in this profile touches the relationship.
    public static func notImported(profile: ImportProfile) -> RelationshipOption {
        RelationshipOption { $0.imports.edit(profile) { $0.isImported = false } }
    }

    /// What an import does with a null, where no key is there, with a value, with members, and with the key of an object
    /// that there is not, and what gives way to the next key. What is nil is as the import says.
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
