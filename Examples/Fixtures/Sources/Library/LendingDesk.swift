public import Foundation
public import RecordStack

/// A desk that lends books and takes them back.
///
/// It gets its date and the numbers of new loans from closures, so that tests can control them.
public struct LendingDesk: Sendable {
    /// The reason why a book is not lent.
    public enum Refusal: Error, Hashable {
        /// No reader has this card.
        case unknownReader(String)
        /// There is no such book.
        case unknownBook(String)
        /// A reader has the book already.
        case isLent
        /// The reader has too many books already.
        case tooMany
    }

    /// The number of books that a reader may have.
    public static let limit = 5
    /// The time for which a book may be kept, in seconds.
    public static let period: TimeInterval = 28 * 86_400

    private let stack: ContextStack
    private let now: @Sendable () -> Date
    private let newNumber: @Sendable () -> UUID

    /// Creates a desk.
    public init(
        stack: ContextStack, now: @escaping @Sendable () -> Date = { Date() },
        newNumber: @escaping @Sendable () -> UUID = { UUID() }
    ) {
        self.stack = stack
        self.now = now
        self.newNumber = newNumber
    }

    /// Lends a book.
    ///
    /// - Returns: the date on which it is due.
    /// - Throws: a ``Refusal``, or an error of the save.
    @discardableResult
    public func lend(_ isbn: String, to card: String) async throws -> Date {
        let due = now().addingTimeInterval(Self.period)
        let number = newNumber()
        try await stack.saveWithBlock { context in
            guard let reader = try Reader.findFirst(by: \.card, card, in: context) else {
                throw Refusal.unknownReader(card)
            }
            guard let book = try Book.findFirst(by: \.isbn, isbn, in: context) else {
                throw Refusal.unknownBook(isbn)
            }
            if book.loans.contains(where: { $0.returned == nil }) { throw Refusal.isLent }
            if reader.loans.count(where: { $0.returned == nil }) >= Self.limit {
                throw Refusal.tooMany
            }
            try Loan.create(in: context, number: number, due: due, book: book, reader: reader)
        }
        return due
    }

    /// Takes a book back. Does nothing if the book is not lent.
    public func takeBack(_ isbn: String) async throws {
        let date = now()
        try await stack.saveWithBlock { context in
            let loans = try Loan.find(in: context) { $0.book.isbn == isbn && $0.returned == nil }
            for loan in loans { loan.returned = date }
        }
    }
}

/// Returns the loans that are overdue at a date, the longest overdue first.
public func overdueLoans(
    at date: Date, in context: ManagedObjectContext
) throws -> [Loan] {
    try Loan.find(sortedBy: .ascending(\.due), in: context) {
        $0.returned == nil && $0.due < date
    }
}

/// Returns the text of the entrance hall's display, from the main actor's default context.
@MainActor public func welcome() throws -> String {
    "\(try Book.count()) books, \(try Loan.count { $0.returned == nil }) of them lent"
}
