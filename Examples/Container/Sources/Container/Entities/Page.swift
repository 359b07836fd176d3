import RecordStack

@Entity final class Page: ManagedObject {
    @Attribute(.unique) var path: String
    var title: String = ""
    @Relationship(deleteRule: .cascade) var visits: ToMany<Visit>

    override func willSave() {
        if title.isEmpty { title = path }
    }
}
