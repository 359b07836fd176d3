import RecordStack
import RecordStackTesting

// Every kind of relationship that there is.

@Entity final class Writer: ManagedObject {
    @Attribute(.unique) var name: String
    /// Many to many.
    @Relationship(inverse: \Novel.writers) var novels: ToMany<Novel>
    /// Without an inverse.
    @Relationship var favourite: Novel?
    /// Many to many among themselves, in an order on both sides.
    @Relationship(inverse: \Writer.students) var mentors: OrderedToMany<Writer>
    @Relationship var students: OrderedToMany<Writer>
    /// Both sides are the same relationship.
    @Relationship(.symmetric) var friends: ToMany<Writer>
}

@Entity final class Novel: ManagedObject {
    @Attribute(.unique) var title: String
    @Relationship var writers: ToMany<Writer>
    /// One to many, in an order.
    @Relationship var chapters: OrderedToMany<Chapter>
    /// To many, without an inverse.
    @Relationship var labels: ToMany<Label>
    /// One to one, with another entity and among themselves.
    @Relationship var cover: Cover?
    @Relationship(inverse: \Novel.prequel) var sequel: Novel?
    @Relationship var prequel: Novel?
}

@Entity final class Chapter: ManagedObject {
    @Attribute var title: String = ""
    @Relationship(inverse: \Novel.chapters) var novel: Novel?
    /// To many in an order, without an inverse.
    @Relationship var notes: OrderedToMany<Label>
}

@Entity final class Cover: ManagedObject {
    @Attribute var color: String = ""
    @Relationship(inverse: \Novel.cover) var novel: Novel?
}

@Entity final class Label: ManagedObject {
    @Attribute(.unique) var text: String
}

/// A novel “N” with six chapters in their order, of which the first has six notes, all of them named by their numbers.
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
