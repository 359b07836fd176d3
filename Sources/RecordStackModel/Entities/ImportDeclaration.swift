/// What is declared of the import of a property.
package struct ImportDeclaration: Sendable {
    /// Keys or key paths, the most wanted first; empty where nothing was declared.
    package var keys: [String] = []
    /// Whether the property's own name comes last among the keys.
    package var hasOwnName = false
    /// Nil where nothing was declared, which means yes.
    package var isImported: Bool?
    package var null: ImportNullPolicy?
    package var fallback: ImportFallbackPolicy?
    package var absent: ImportAbsentPolicy?
    package var value: ImportValuePolicy?
    package var members: ImportMembersPolicy?
    package var missing: ImportMissingPolicy?
    package var dateFormats: [ImportDateFormat] = []
    /// What becomes of a value before it is converted, one after another.
    package var transforms: [@Sendable (ImportValue) throws -> ImportValue] = []
    /// What becomes of a value that is exported.
    package var exportTransform: (@Sendable (ImportValue) throws -> ImportValue)?
    /// What is declared for some profiles alone.
    package var profiles: [ImportProfile: ImportDeclaration] = [:]

    package init() {}

    mutating func add(_ keys: [String], orOwnName: Bool) {
        self.keys += keys
        hasOwnName = hasOwnName || orOwnName
        if isImported == nil { isImported = true }
    }

    mutating func set(
        null: ImportNullPolicy?, fallback: ImportFallbackPolicy?, absent: ImportAbsentPolicy?,
        value: ImportValuePolicy?, members: ImportMembersPolicy? = nil,
        missing: ImportMissingPolicy? = nil
    ) {
        self.null = null ?? self.null
        self.fallback = fallback ?? self.fallback
        self.absent = absent ?? self.absent
        self.value = value ?? self.value
        self.members = members ?? self.members
        self.missing = missing ?? self.missing
    }

    /// Changes what is declared for a profile, or for all where it is nil.
    mutating func edit(_ profile: ImportProfile?, _ change: (inout ImportDeclaration) -> Void) {
        if let profile {
            change(&profiles[profile, default: ImportDeclaration()])
        } else {
            change(&self)
        }
    }

    /// What holds in a profile: what is declared for it, and beside that what is declared for all.
    package func declaration(in profile: ImportProfile?) -> ImportDeclaration {
        guard let profile, let own = profiles[profile] else { return self }
        var both = self
        if !own.keys.isEmpty || own.hasOwnName {
            (both.keys, both.hasOwnName) = (own.keys, own.hasOwnName)
        }
        both.isImported = own.isImported ?? isImported
        if !own.dateFormats.isEmpty { both.dateFormats = own.dateFormats }
        if !own.transforms.isEmpty { both.transforms = own.transforms }
        both.exportTransform = own.exportTransform ?? exportTransform
        both.set(
            null: own.null, fallback: own.fallback, absent: own.absent, value: own.value,
            members: own.members, missing: own.missing)
        return both
    }
}
