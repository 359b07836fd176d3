public import Foundation
public import RecordStack

/// Lends books and takes them back.
///
/// What is different each time, the date and the numbers of loans, is handed to it.
public struct LendingDesk: Sendable {
    /// Why a book is not lent.
    public enum Refusal: Error, Hashable {
        /// There is no reader with such a card.
        case unknownReader(String)
        /// There is no such book.
        case unknownBook(String)
        /// Somebody has it.
        case isLent
        /// The reader has too many books already.
        case tooMany
    }

    /// How many books a reader may have.
    public static let limit = 5
    /// How long a book may be kept, in seconds.
    public static let period: TimeInterval = 28 * 86_400

    private let stack: ContextStack
    private let now: @Sendable () -> Date
    private let newNumber: @Sendable () -> UUID

    /// A desk.
    public init(
        stack: ContextStack, now: @escaping @Sendable () -> Date = { Date() },
        newNumber: @escaping @Sendable () -> UUID = { UUID() }
    ) {
        self.stack = stack
        self.now = now
        self.newNumber = newNumber
    }

    /// Lends a book.
    /// - Returns: when it is due.
    /// - Throws: a ``Refusal``, and what saving throws.
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

    /// Takes a book back. One that is not lent stays as it is.
    public func takeBack(_ isbn: String) async throws {
        let date = now()
        try await stack.saveWithBlock { context in
            let loans = try Loan.find(in: context) { $0.book.isbn == isbn && $0.returned == nil }
            for loan in loans { loan.returned = date }
        }
    }
}

/// The loans that are overdue at a date, those first that have been for longest.
public func overdueLoans(
    at date: Date, in context: ManagedObjectContext
) throws -> [Loan] {
    try Loan.find(sortedBy: .ascending(\.due), in: context) {
        $0.returned == nil && $0.due < date
    }
}

/// What the entrance hall's display says, from the main actor's default context.
@MainActor public func welcome() throws -> String {
    "\(try Book.count()) books, \(try Loan.count { $0.returned == nil }) of them lent"
}
