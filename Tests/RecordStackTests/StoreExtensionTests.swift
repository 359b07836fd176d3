import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// The entities of an older version of a program, by the names that they have in the newer one.
enum Older {
    @Entity final class Book: ManagedObject {
        @Attribute(.unique) var title: String
    }

    @Entity class Vehicle: ManagedObject {
        @Attribute var wheels: Int = 4
    }
}

enum Newer {
    @Entity(identity: \.title) final class Book: ManagedObject {
        @Attribute(.unique) var title: String
        @Attribute(.indexed) var pages: Int = 100
        @Attribute(.unique) var isbn: String?
        @Attribute var status: Status = .published
        @Relationship(inverse: \Shelf.books) var shelf: Shelf?
    }

    @Entity final class Shelf: ManagedObject {
        @Attribute(.unique) var label: String
        @Relationship var books: ToMany<Book>
    }

    @Entity class Vehicle: ManagedObject {
        @Attribute var wheels: Int = 4
    }

    @Entity final class Truck: Vehicle {
        @Attribute var tons: Double = 1.5
    }
}

enum Guessing {
    @Entity(identity: \.title) final class Book: ManagedObject {
        @Attribute(.unique) var title: String
        @Attribute(.unique) var number: Int = 1
    }
}

enum Stricter {
    @Entity final class Book: ManagedObject {
        @Attribute(.unique) var title: String
        @Attribute var author: String
    }
}

/// Stores that were made for an older model.
@Suite struct StoreExtensionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("extension")
        let stack = try ContextStack(
            for: Older.Book.self, Older.Vehicle.self, at: .file(folder.file("store.sqlite")))
        try stack.saveWithBlockAndWait { context in
            for title in ["A", "B"] { try Older.Book.create(in: context, title: title) }
            try Older.Vehicle.create(in: context, wheels: 3)
        }
        try stack.close()
    }

    private var path: String { folder.file("store.sqlite") }

    @Test func `a model that only adds to the store's extends it`() async throws {
        for round in 0..<2 {
            let stack = try ContextStack(
                for: Newer.Book.self, Newer.Truck.self, at: .file(path))
            let context = stack.newContext()
            let books = try Newer.Book.find(sortedBy: .ascending(\.title), in: context)
            #expect(books.map(\.title) == ["A", "B"] && books.map(\.pages) == [100, 100])
            #expect(books.allSatisfy { $0.isbn == nil && $0.status == .published })
            #expect(try Newer.Vehicle.find(in: context).first?.wheels == 3)
            if round == 0 {
                books[0].shelf = try Newer.Shelf.create(in: context, label: "S")
                try Newer.Truck.create(in: context, tons: 9)
                try await context.save()
            } else {
                #expect(books[0].shelf?.label == "S")
                #expect(try Newer.Truck.find(in: context).map(\.tons) == [9])
                #expect(try Newer.Vehicle.count(in: context) == 2)
            }
            try stack.close()
        }
        let other = try ForeignProgram(path: path)
        #expect(try other.rows("PRAGMA integrity_check") == [["ok"]])
    }

    @Test func `a rule that comes with an attribute holds`() async throws {
        let stack = try ContextStack(for: Newer.Book.self, Newer.Truck.self, at: .file(path))
        let context = stack.newContext()
        for book in try Newer.Book.find(in: context) { book.isbn = "1" }
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.code == .constraint && error?.property == "isbn")
        try stack.close()
    }

    @Test func `a model that changes something is refused, and nothing is written`() throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        for entities in [
            [Stricter.Book.self, Older.Vehicle.self], [Newer.Book.self],
            // Two rows cannot have the same number, and no other is known.
            [Guessing.Book.self, Older.Vehicle.self],
        ] as [[ManagedObject.Type]] {
            let error = #expect(throws: RecordStackError.self) {
                try ContextStack(entities: entities, at: .file(path), options: StoreOptions())
            }
            #expect(error?.code == .modelMismatch, "\(String(describing: error))")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
}
