import Foundation
import RecordStack

@main
struct Library {
    @MainActor
    static func main() async throws {
        let stack = try ContextStack(
            for: Book.self, Film.self, Chapter.self, Author.self, Reader.self, Loan.self,
            at: .inMemory)
        try await stack.saveWithBlock(fill)
        let context = stack.defaultContext
        try look(context)
        try edit(context)
        try await lend(context)
        try await clear(context)
        try stack.close()
    }

    private static func fill(_ context: ManagedObjectContext) throws {
        let terry = try Author.create(in: context, name: "Terry")
        let neil = try Author.create(in: context, name: "Neil")
        let omens = try book("B1", "Good Omens", 1990, ["Eden", "Wednesday", "Friday"], context)
        omens.authors.formUnion([terry, neil])
        neil.books.insert(try book("B2", "Stardust", 1999, ["Wall", "Faerie"], context))
        let film = try Film.create(in: context)
        (film.mark, film.title, film.minutes) = ("F1", "Stardust", 127)
        let ann = try Reader.create(in: context, name: "Ann")
        ann.friends.insert(try Reader.create(in: context, name: "Bob"))
    }

    private static func look(_ context: ManagedObjectContext) throws {
        print("In the library:")
        for item in try Item.find(sortedBy: .ascending(\.mark), in: context) {
            let authors = (item as? Book)?.authors.map(\.name).sorted() ?? ["a film"]
            print("  \(item.mark) \(item.title): \(authors.joined(separator: " and "))")
        }
        let late = try Book.count(in: context) { $0.title.hasPrefix("S") && $0.year > 1995 }
        print("\(late) book begins with S and is younger than 1995")
    }

    private static func edit(_ context: ManagedObjectContext) throws {
        guard let omens = try Book.findFirst(by: \.mark, "B1", in: context) else { return }
        omens.chapters.move(from: 2, to: 0)
        omens.chapters[1].title = "In Eden"
        let draft = try omens.copy(with: \.chapters, \.authors)
        print("\nChapters: \(omens.chapters.map(\.title).joined(separator: ", "))")
        print("Reordered: \(omens.changes(of: \.chapters).isReordered)")
        print("A copy by \(draft.authors.count), with \(draft.chapters.count) chapters and no mark")
        context.rollback()
        print("Rolled back: \(omens.chapters.map(\.title).joined(separator: ", "))")
    }

    /// Shows that a save reports all errors at once, and succeeds when they are fixed.
    private static func lend(_ context: ManagedObjectContext) async throws {
        guard let ann = try Reader.findFirst(by: \.name, "Ann", in: context) else { return }
        for item in try Item.find(in: context) {
            try Loan.create(in: context, due: .now + 86_400, item: item, reader: ann)
        }
        let film = try Film.findFirst(in: context)
        film?.minutes = 1_000
        film?.title = ""
        do {
            try await context.save()
        } catch let error as RecordStackError where error.code == .validation {
            print("\nNot saved:")
            for failure in error.failures { print("  \(failure.entity): \(failure.message)") }
        }
        film?.minutes = 127
        film?.title = "Stardust"
        try film?.loans.forEach { try $0.delete() }
        try await context.save()
        print(
            "Ann has \(ann.loans.map { $0.item?.title ?? "" }.sorted().joined(separator: " and "))")
    }

    private static func clear(_ context: ManagedObjectContext) async throws {
        guard let omens = try Book.findFirst(by: \.mark, "B1", in: context) else { return }
        do {
            try omens.delete()
        } catch let error as RecordStackError where error.code == .deletionDenied {
            print("\nNot deleted: \(error.blockers.count) loan stands in the way")
        }
        try Reader.find(in: context).forEach { try $0.delete() }  // … and their loans
        print("The plan: \(try context.deletionPlan(for: omens))")
        try omens.delete()
        try await context.save()
        let left = try Item.find(in: context).map(\.mark).sorted().joined(separator: ", ")
        print("Left: \(left), \(try Chapter.count(in: context)) chapters")
    }

    private static func book(
        _ mark: String, _ title: String, _ year: Int, _ chapters: [String],
        _ context: ManagedObjectContext
    ) throws -> Book {
        let book = try Book.create(in: context)
        (book.mark, book.title, book.year) = (mark, title, year)
        for title in chapters { try Chapter.create(in: context, title: title, book: book) }
        return book
    }
}
