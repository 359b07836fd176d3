import Foundation
import Library
import RecordStack
import RecordStackTesting

extension Factory<Reader> {
    static let reader = Factory { reader, number in
        reader.card = "C\(number)"
        reader.name = "Reader \(number)"
    }
}

extension Factory<Book> {
    static let book = Factory { book, number in
        book.isbn = "978-\(number)"
        book.title = "Book \(number)"
        book.year = 1900 + number % 120
    }
    static let oldBook = book.with { book, _ in book.year = 1790 }
}

extension Factory<Loan> {
    static let loan = Factory { loan, number in
        loan.number = UUID(UInt64(number))
        loan.due = Date(timeIntervalSinceReferenceDate: 0)
    }
    .association(\.book, .book)
    .association(\.reader, .reader)
}

/// Creates 1,000 objects: 600 books, 100 readers and 300 loans, two thirds of them returned.
@Sendable func thousand(_ context: ManagedObjectContext) throws {
    let books = try Factory.book.create(600, in: context)
    let readers = try Factory.reader.create(100, in: context)
    try Factory.loan.create(300, in: context) { loan, index in
        loan.book = books[index]
        loan.reader = readers[index % readers.count]
        loan.returned = index % 3 == 0 ? nil : loan.due
    }
}
