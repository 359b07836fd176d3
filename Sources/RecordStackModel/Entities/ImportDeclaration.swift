/// The import options that a property declares.
package struct ImportDeclaration: Sendable {
    /// The keys or key paths, in order of preference; empty if none are declared.
    package var keys: [String] = []
    /// True if the import tries the property's own name last.
    package var hasOwnName = false
    /// Whether imports set the property; nil if undeclared, which counts as true.
    package var isImported: Bool?
    package var null: ImportNullPolicy?
    package var fallback: ImportFallbackPolicy?
    package var absent: ImportAbsentPolicy?
    package var value: ImportValuePolicy?
    package var members: ImportMembersPolicy?
    package var missing: ImportMissingPolicy?
    package var dateFormats: [ImportDateFormat] = []
    /// The transforms of a value before it is converted, in order.
    package var transforms: [@Sendable (ImportValue) throws -> ImportValue] = []
    /// The transform of a value before it is exported.
    package var exportTransform: (@Sendable (ImportValue) throws -> ImportValue)?
    /// The declarations that apply to one profile only.
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

    /// Changes the declaration for a profile, or for all profiles if `profile` is nil.
    mutating func edit(_ profile: ImportProfile?, _ change: (inout ImportDeclaration) -> Void) {
        if let profile {
            change(&profiles[profile, default: ImportDeclaration()])
        } else {
            change(&self)
        }
    }

    /// Returns the declaration for a profile, completed by the declaration for all profiles.
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
