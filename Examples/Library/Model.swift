import Foundation
import RecordStack

/// What can be lent: there are books and films, in one table.
@Entity(.abstract) class Item: ManagedObject {
    @Attribute(.unique, .pattern("[A-Z][0-9]+")) var mark: String
    @Attribute(.length(1...40)) var title: String
    /// As long as it is lent, it cannot be deleted.
    @Relationship(deleteRule: .deny) var loans: ToMany<Loan>
}

@Entity final class Book: Item {
    @Attribute(.range(1450...2100)) var year: Int?
    /// Many to many: an author's books are known, too.
    @Relationship(inverse: \Author.books) var authors: ToMany<Author>
    /// In an order, and gone with the book.
    @Relationship(deleteRule: .cascade) var chapters: OrderedToMany<Chapter>
}

@Entity final class Film: Item {
    @Attribute(.range(1...600)) var minutes: Int = 90
}

@Entity final class Chapter: ManagedObject {
    @Attribute var title: String
    @Relationship(.required, inverse: \Book.chapters) var book: Book?
}

@Entity final class Author: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship var books: ToMany<Book>
}

@Entity final class Reader: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship(.count(...2), deleteRule: .cascade) var loans: ToMany<Loan>
    @Relationship(.symmetric) var friends: ToMany<Reader>
}

@Entity final class Loan: ManagedObject {
    @Attribute var due: Date
    @Relationship(.required, inverse: \Item.loans) var item: Item?
    @Relationship(.required, inverse: \Reader.loans) var reader: Reader?

    /// Two weeks are usual.
    override func awakeFromInsert() { due = Date(timeIntervalSinceNow: 14 * 24 * 3_600) }
}
