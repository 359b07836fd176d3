public import Foundation
public import RecordStack

/// A person who borrows books.
@Entity public final class Reader: ManagedObject {
    /// The number on the library card.
    @Attribute(.unique, .imported(from: "card", "cardNumber")) public var card: String
    /// The reader's name.
    @Attribute(.imported(from: "full_name", "name")) public var name: String = ""
    /// The date of the reader's first visit.
    @Attribute public var joined: Date?
    /// The reader's current and past loans.
    @Relationship public var loans: ToMany<Loan>
}

/// A book on the shelf, or lent.
@Entity public final class Book: ManagedObject {
    /// The book's number.
    @Attribute(.unique, .imported(from: "isbn")) public var isbn: String
    /// The title.
    @Attribute public var title: String
    /// The year of publication.
    @Attribute(.imported(from: "published.year")) public var year: Int?
    /// The book's current and past loans.
    @Relationship public var loans: ToMany<Loan>
}

/// The loan of a book to a reader.
@Entity public final class Loan: ManagedObject {
    /// The loan's number.
    @Attribute(.unique) public var number: UUID
    /// The date on which the book is due.
    @Attribute public var due: Date
    /// The date on which the book was returned; nil while it is lent.
    @Attribute public var returned: Date?
    /// The book.
    @Relationship(.required, inverse: \Book.loans) public var book: Book?
    /// The reader who has the book.
    @Relationship(.required, inverse: \Reader.loans) public var reader: Reader?
}

/// The entities of the library, for the app and for its tests.
public let libraryEntities: [ManagedObject.Type] = [Reader.self, Book.self, Loan.self]
