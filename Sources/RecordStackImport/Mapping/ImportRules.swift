import RecordStackGraph
import RecordStackModel

/// The policies for one property: the options of the import, overridden by its declaration.
struct ImportRules {
    var null: ImportNullPolicy
    var fallback: ImportFallbackPolicy
    var absent: ImportAbsentPolicy
    var value: ImportValuePolicy
    var members: ImportMembersPolicy
    var missing: ImportMissingPolicy

    init(_ options: ImportOptions) {
        null = options.null
        fallback = options.fallback
        absent = options.absent
        value = options.value
        members = options.members
        missing = options.missing
    }

    func overridden(by declared: ImportDeclaration) -> ImportRules {
        var rules = self
        rules.null = declared.null ?? null
        rules.fallback = declared.fallback ?? fallback
        rules.absent = declared.absent ?? absent
        rules.value = declared.value ?? value
        rules.members = declared.members ?? members
        rules.missing = declared.missing ?? missing
        return rules
    }

    /// Returns true if an object takes a value of the source.
    ///
    /// - Parameter found: the existing object; nil if the object is still to be created.
    func takesValue(at slot: Int, of found: ManagedObject?) -> Bool {
        guard let found else { return true }
        return switch value {
        case .set: true
        case .whenNew: false
        case .whenNil: found.isNil(at: slot)
        }
    }
}
