import Foundation
import RecordStack

/// An item that can be lent. Books and films are in one table.
@Entity(.abstract) class Item: ManagedObject {
    @Attribute(.unique, .pattern("[A-Z][0-9]+")) var mark: String
    @Attribute(.length(1...40)) var title: String
    /// The loans. An item cannot be deleted while it has any.
    @Relationship(deleteRule: .deny) var loans: ToMany<Loan>
}

@Entity final class Book: Item {
    @Attribute(.range(1450...2100)) var year: Int?
    /// The authors, many to many: an author also has the inverse, `books`.
    @Relationship(inverse: \Author.books) var authors: ToMany<Author>
    /// The chapters, in an order, which are deleted with the book.
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

    /// Sets the usual due date, in two weeks.
    override func awakeFromInsert() { due = Date(timeIntervalSinceNow: 14 * 24 * 3_600) }
}
