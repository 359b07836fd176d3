import RecordStackGraph
import RecordStackModel

/// What an import does with nulls, with what is absent and so on: as it says itself, and as a property declares.
struct ImportRules {
    var null: ImportNullPolicy
    var absent: ImportAbsentPolicy
    var value: ImportValuePolicy
    var members: ImportMembersPolicy
    var missing: ImportMissingPolicy

    init(_ options: ImportOptions) {
        null = options.null
        absent = options.absent
        value = options.value
        members = options.members
        missing = options.missing
    }

    private init(
        null: ImportNullPolicy, absent: ImportAbsentPolicy, value: ImportValuePolicy,
        members: ImportMembersPolicy, missing: ImportMissingPolicy
    ) {
        self.null = null
        self.absent = absent
        self.value = value
        self.members = members
        self.missing = missing
    }

    func overridden(by declared: ImportDeclaration) -> ImportRules {
        ImportRules(
            null: declared.null ?? null, absent: declared.absent ?? absent,
            value: declared.value ?? value, members: declared.members ?? members,
            missing: declared.missing ?? missing)
    }

    /// Whether a value of the source is taken by an object that was found; nil stands for one that is to be made.
    func takesValue(at slot: Int, of found: ManagedObject?) -> Bool {
        guard let found else { return true }
        return switch value {
        case .set: true
        case .whenNew: false
        case .whenNil: found.isNil(at: slot)
        }
    }
}
