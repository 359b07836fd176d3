import RecordStack
import RecordStackModel

/// An object with all hooks.
@Entity final class Pebble: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute(.range(0...)) var weight: Int = 0
    @Attribute var color: String?
    @Attribute(.transient) var looks: Int = 0
    @Relationship(inverse: \Pile.pebbles) var pile: Pile?
    @Relationship var crown: Pile?

    override func awakeFromInsert() { color = "new" }

    override func awakeFromFetch() { looks += 1 }

    override func willSave() { if color == "new" { color = nil } }

    override func prepareForDeletion() { weight += 1 }

    override func validateForInsert() throws { _ = pile?.height }

    override func validateForUpdate() throws { _ = pile?.height }
}

/// An object without hooks.
@Entity final class Pile: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute(.indexed) var height: Int = 0
    @Attribute var width: Int = 0
    @Relationship(deleteRule: .cascade) var pebbles: ToMany<Pebble>
    @Relationship(inverse: \Pebble.crown) var top: Pebble?
    @Relationship(inverse: \Pile.under) var over: ToMany<Pile>
    @Relationship var under: ToMany<Pile>
}
