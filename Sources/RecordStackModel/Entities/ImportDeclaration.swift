/// What is declared of the import of a property.
package struct ImportDeclaration: Sendable {
    /// Keys or key paths, the most wanted first; empty where nothing was declared.
    package var keys: [String] = []
    /// Whether the property's own name comes last among the keys.
    package var hasOwnName = false
    package var isImported = true
    package var null: ImportNullPolicy?
    package var absent: ImportAbsentPolicy?
    package var value: ImportValuePolicy?
    package var members: ImportMembersPolicy?
    package var missing: ImportMissingPolicy?

    package init() {}

    mutating func add(_ keys: [String], orOwnName: Bool) {
        self.keys += keys
        hasOwnName = hasOwnName || orOwnName
    }

    mutating func set(
        null: ImportNullPolicy?, absent: ImportAbsentPolicy?, value: ImportValuePolicy?,
        members: ImportMembersPolicy? = nil, missing: ImportMissingPolicy? = nil
    ) {
        self.null = null ?? self.null
        self.absent = absent ?? self.absent
        self.value = value ?? self.value
        self.members = members ?? self.members
        self.missing = missing ?? self.missing
    }
}
