import RecordStack

/// An entity in the file.
@Entity final class StoredBook: ManagedObject {
    @Attribute(.unique) var title: String = ""
    @Attribute var pages: Int = 0
}

/// An entity in memory.
@Entity final class DraftedBook: ManagedObject {
    @Attribute(.unique) var title: String = ""
    @Attribute var words: Int = 0
    /// The book that the draft becomes.
    @Attribute var book: String?
    @Relationship(deleteRule: .cascade, inverse: \DraftedNote.draft) var notes: ToMany<DraftedNote>
    @Relationship(inverse: \DraftedTag.drafts) var tags: ToMany<DraftedTag>
}

@Entity final class DraftedNote: ManagedObject {
    @Attribute var text: String = ""
    @Relationship var draft: DraftedBook?
}

@Entity final class DraftedTag: ManagedObject {
    @Attribute var name: String = ""
    @Relationship var drafts: ToMany<DraftedBook>
}

/// An entity whose relationship crosses from one store to the other.
@Entity final class StrayDraft: ManagedObject {
    @Relationship var book: StoredBook?
}
