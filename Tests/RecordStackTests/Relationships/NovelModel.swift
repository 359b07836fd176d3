import RecordStack
import RecordStackTesting

// Entities with every kind of relationship.

@Entity final class Writer: ManagedObject {
    @Attribute(.unique) var name: String
    /// A many-to-many relationship.
    @Relationship(inverse: \Novel.writers) var novels: ToMany<Novel>
    /// A relationship without an inverse.
    @Relationship var favourite: Novel?
    /// A many-to-many relationship among writers, ordered on both sides.
    @Relationship(inverse: \Writer.students) var mentors: OrderedToMany<Writer>
    @Relationship var students: OrderedToMany<Writer>
    /// A symmetric relationship, which is its own inverse.
    @Relationship(.symmetric) var friends: ToMany<Writer>
}

@Entity final class Novel: ManagedObject {
    @Attribute(.unique) var title: String
    @Relationship var writers: ToMany<Writer>
    /// An ordered one-to-many relationship.
    @Relationship var chapters: OrderedToMany<Chapter>
    /// A to-many relationship without an inverse.
    @Relationship var labels: ToMany<Label>
    /// One-to-one relationships, with another entity and among novels.
    @Relationship var cover: Cover?
    @Relationship(inverse: \Novel.prequel) var sequel: Novel?
    @Relationship var prequel: Novel?
}

@Entity final class Chapter: ManagedObject {
    @Attribute var title: String = ""
    @Relationship(inverse: \Novel.chapters) var novel: Novel?
    /// An ordered to-many relationship without an inverse.
    @Relationship var notes: OrderedToMany<Label>
}

@Entity final class Cover: ManagedObject {
    @Attribute var color: String = ""
    @Relationship(inverse: \Novel.cover) var novel: Novel?
}

@Entity final class Label: ManagedObject {
    @Attribute(.unique) var text: String
}

/// Creates a novel “N” with six ordered chapters. The first chapter has six notes. Chapters and
/// notes are named by their numbers.
func makeOrderedNovel(in context: ManagedObjectContext) throws {
    let novel = try Novel.create(in: context, title: "N")
    for number in 0..<6 {
        let chapter = try Chapter.create(in: context)
        chapter.title = "\(number)"
        novel.chapters.append(chapter)
    }
    for number in 0..<6 {
        novel.chapters[0].notes.append(try Label.create(in: context, text: "\(number)"))
    }
}

func makeNovelStack(_ location: TestStack.Location = .memory) throws -> TestStack {
    try TestStack(for: Writer.self, Novel.self, Chapter.self, Cover.self, Label.self, at: location)
}
