import RecordStack

// Entities with relationships of every kind, for imports.

@Entity final class Cellar: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute(.imported(from: "title", orOwnName: true)) var name: String = "none"
    @Relationship var barrels: ToMany<Barrel>
}

@Entity final class Cooper: ManagedObject {
    @Attribute(.unique) var email: String
    @Attribute var name: String
    @Relationship(.notImported) var barrels: ToMany<Barrel>
}

@Entity final class Brand: ManagedObject {
    @Attribute(.unique) var word: String
    @Relationship(.notImported) var barrels: ToMany<Barrel>
}

@Entity final class Stave: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var amount: Int = 1
    @Relationship(.notImported) var barrel: Barrel?
}

/// An entity without an identity.
@Entity final class Chalk: ManagedObject {
    @Attribute var text: String
    @Relationship(.notImported) var barrel: Barrel?
}

@Entity final class Barrel: ManagedObject {
    @Attribute(.unique) var code: Int
    @Attribute(.importing(null: .ignore)) var label: String = ""
    @Attribute(.importing(value: .whenNil)) var hint: String?
    @Attribute(.importing(value: .whenNew)) var source: String?
    @Attribute(.importing(null: .setDefault, absent: .setDefault)) var state: String = "open"
    @Attribute(.importing(absent: .clear)) var weight: Double?
    @Attribute(.notImported) var secret: String?
    @Attribute(.imported(from: #"app\.version"#)) var version: String?
    @Relationship(.imported(from: "cellar", "cellar_number"), inverse: \Cellar.barrels)
    var cellar: Cellar?
    @Relationship(.importing(missing: .skip), inverse: \Cooper.barrels) var cooper: Cooper?
    @Relationship(.imported(from: "next"), .importing(missing: .fail)) var next: Barrel?
    @Relationship(.importing(members: .replace), inverse: \Brand.barrels)
    var brands: ToMany<Brand>
    @Relationship(
        .importing(members: .replaceAndDelete), deleteRule: .cascade, inverse: \Stave.barrel)
    var staves: OrderedToMany<Stave>
    @Relationship(inverse: \Chalk.barrel) var chalks: ToMany<Chalk>
}
