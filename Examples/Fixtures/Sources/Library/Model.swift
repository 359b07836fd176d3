public import Foundation
public import RecordStack

/// Somebody who borrows.
@Entity public final class Reader: ManagedObject {
    /// The number on the library card.
    @Attribute(.unique, .imported(from: "card", "cardNumber")) public var card: String
    /// The reader's name.
    @Attribute(.imported(from: "full_name", "name")) public var name: String = ""
    /// When the reader came first.
    @Attribute public var joined: Date?
    /// What the reader has or had.
    @Relationship public var loans: ToMany<Loan>
}

/// A book on the shelf, or lent.
@Entity public final class Book: ManagedObject {
    /// The book's number.
    @Attribute(.unique, .imported(from: "isbn")) public var isbn: String
    /// The title.
    @Attribute public var title: String
    /// The year in which it was published.
    @Attribute(.imported(from: "published.year")) public var year: Int?
    /// Who has or had it.
    @Relationship public var loans: ToMany<Loan>
}

/// A book with a reader, until it is returned.
@Entity public final class Loan: ManagedObject {
    /// The loan's number.
    @Attribute(.unique) public var number: UUID
    /// When the book is to be back.
    @Attribute public var due: Date
    /// When it came back; nil as long as it is lent.
    @Attribute public var returned: Date?
    /// The book.
    @Relationship(.required, inverse: \Book.loans) public var book: Book?
    /// Who has it.
    @Relationship(.required, inverse: \Reader.loans) public var reader: Reader?
}

/// The entities of the library, for the app and for its tests.
public let libraryEntities: [ManagedObject.Type] = [Reader.self, Book.self, Loan.self]
