import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// The entities of an older version of a program, under the names of the newer version.
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

enum Newest {
    @Entity class Vehicle: ManagedObject {
        @Attribute var wheels: Int = 4
    }

    @Entity final class Truck: Vehicle {
        @Attribute var tons: Double = 1.5
    }

    @Entity final class Bus: Vehicle {
        @Attribute var seats: Int = 50
    }
}

enum Demanding {
    @Entity final class Book: ManagedObject {
        @Attribute(.unique) var title: String
        @Relationship(.required, inverse: \Shelf.books) var shelf: Shelf?
    }

    @Entity final class Shelf: ManagedObject {
        @Relationship var books: ToMany<Book>
    }
}

/// The same entities, with other rules that the file does not store.
enum Bound {
    @Entity final class Parcel: ManagedObject {
        @Attribute(.range(0...9)) var weight: Int = 1
        @Relationship(.required, inverse: \Depot.parcels) var depot: Depot?
    }

    @Entity final class Depot: ManagedObject {
        @Relationship(deleteRule: .cascade) var parcels: ToMany<Parcel>
    }
}

enum Unbound {
    @Entity final class Parcel: ManagedObject {
        @Attribute var weight: Int = 1
        @Relationship(inverse: \Depot.parcels) var depot: Depot?
    }

    @Entity final class Depot: ManagedObject {
        @Relationship(deleteRule: .nullify) var parcels: ToMany<Parcel>
    }
}

/// Stores that were created for an older model.
@Suite("Lightweight migration") struct StoreExtensionTests {
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

    @Test func `a model that only adds to the store's model extends the store`() async throws {
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

    /// Existing rows begin without a value, so the column has no rule against null.
    @Test func `filters on an added attribute work as in a new store`() throws {
        let isNull = #"OR t0."pages" IS NULL"#
        for (path, isAdded) in [(path, true), (folder.file("new.sqlite"), false)] {
            let stack = try ContextStack(for: Newer.Book.self, Newer.Truck.self, at: .file(path))
            let context = stack.newContext()
            if !isAdded {
                for title in ["A", "B"] { try Newer.Book.create(in: context, title: title) }
            }
            try Newer.Book.create(in: context, title: "C").pages = 7
            try context.saveAndWait()
            let short = Newer.Book.where { !($0.pages > 50) }
            #expect(try context.find(short).map(\.title) == ["C"])
            #expect(try context.count(Newer.Book.where { $0.pages != 7 }) == 2)
            #expect(try context.explain(short).sql.contains(isNull) == isAdded)
            #expect(
                try !context.explain(Newer.Book.where { $0.title != "A" }).sql.contains("IS NULL"))
            try stack.close()
        }
    }

    @Test func `a unique rule of an attribute that a model adds is enforced`() async throws {
        let stack = try ContextStack(for: Newer.Book.self, Newer.Truck.self, at: .file(path))
        let context = stack.newContext()
        for book in try Newer.Book.find(in: context) { book.isbn = "1" }
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.code == .constraint && error?.property == "isbn")
        try stack.close()
    }

    @Test func `a model that changes the store's model is refused without a write`() throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        for entities in [
            [Stricter.Book.self, Older.Vehicle.self], [Newer.Book.self],
            // Two rows cannot have the same number, and only the default is known.
            [Guessing.Book.self, Older.Vehicle.self],
        ] as [[ManagedObject.Type]] {
            let error = #expect(throws: RecordStackError.self) {
                try ContextStack(entities: entities, at: .file(path), options: StoreOptions())
            }
            #expect(error?.code == .modelMismatch, "\(String(describing: error))")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test(arguments: [false, true])
    func `a stack of the older model cannot save after the store is extended`(
        hasSaved: Bool
    ) async throws {
        let older = try ContextStack(
            for: Older.Book.self, Older.Vehicle.self, at: .file(path))
        let context = older.newContext()
        if hasSaved {
            try Older.Book.create(in: context, title: "C")
            try await context.save()
        }
        let newer = try ContextStack(for: Newer.Book.self, Newer.Truck.self, at: .file(path))
        try Older.Book.create(in: context, title: "D")
        try Older.Vehicle.create(in: context)
        for _ in 0..<2 {
            let error = await #expect(throws: RecordStackError.self) { try await context.save() }
            #expect(error?.code == .modelMismatch, "\(String(describing: error))")
            #expect(error?.message.contains("Book.pages") == true)
            #expect(error?.message.contains("Update the program") == true)
            #expect(context.hasChanges)
        }
        let books = try Newer.Book.find(in: newer.newContext())
        #expect(books.count == (hasSaved ? 3 : 2) && books.allSatisfy { $0.pages == 100 })
        #expect(try Newer.Vehicle.find(in: newer.newContext()).count == 1)
        try older.close()
        try newer.close()
    }

    @Test func `a stack of an older model reports rows of an unknown entity`() throws {
        let path = folder.file("vehicles.sqlite")
        let older = try ContextStack(for: Newer.Truck.self, at: .file(path))
        let newer = try ContextStack(for: Newest.Truck.self, Newest.Bus.self, at: .file(path))
        try newer.saveWithBlockAndWait { context in
            try Newest.Truck.create(in: context)
            try Newest.Bus.create(in: context).seats = 30
        }
        let context = older.newContext()
        #expect(try Newer.Truck.find(in: context).map(\.tons) == [1.5])
        let error = #expect(throws: RecordStackError.self) { try Newer.Vehicle.find(in: context) }
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains("entity Bus") == true)
        #expect(error?.message.contains("update this one and make a new stack") == true)
        try older.close()
        try newer.close()
    }

    @Test func `a stack can save after another stack vacuums the store`() async throws {
        let stack = try ContextStack(for: Older.Book.self, Older.Vehicle.self, at: .file(path))
        let other = try ContextStack(for: Older.Book.self, Older.Vehicle.self, at: .file(path))
        for title in ["C", "D"] {
            try await other.vacuum()
            try await stack.saveWithBlock { _ = try Older.Book.create(in: $0, title: title) }
        }
        #expect(try Older.Book.count(in: other.newContext()) == 4)
        try stack.close()
        try other.close()
    }

    @Test func `a store opens with a model whose validation rules have changed`() throws {
        let path = folder.file("parcels.sqlite")
        for _ in 0..<2 {
            let unbound = try ContextStack(for: Unbound.Parcel.self, at: .file(path))
            try unbound.saveWithBlockAndWait { _ = try Unbound.Parcel.create(in: $0, weight: 50) }
            try unbound.close()
            let bound = try ContextStack(for: Bound.Parcel.self, at: .file(path))
            let context = bound.newContext()
            let parcel = try #require(try Bound.Parcel.findFirst(in: context))
            parcel.weight = 51
            try Bound.Parcel.create(in: context)
            let error = #expect(throws: RecordStackError.self) { try context.saveAndWait() }
            #expect(error?.failures.compactMap(\.property).sorted() == ["depot", "weight"])
            try bound.close()
        }
    }

    @Test func `a refused model is reported with the reason and the way out`() throws {
        func message(_ entities: [ManagedObject.Type]) -> String {
            let error = #expect(throws: RecordStackError.self) {
                try ContextStack(entities: entities, at: .file(path), options: StoreOptions())
            }
            return error?.message ?? ""
        }
        let required = message([Stricter.Book.self, Older.Vehicle.self])
        #expect(required.contains("Book.author is new in the model, and required"))
        #expect(required.contains("make it optional, or give it a default"))
        let unique = message([Guessing.Book.self, Older.Vehicle.self])
        #expect(unique.contains("Book.number is new in the model, and unique"))
        #expect(unique.contains("make it optional, without a default"))
        let demanding = message([Demanding.Book.self, Older.Vehicle.self])
        #expect(demanding.contains("Book.shelf is new in the model, and required"))
        #expect(demanding.contains("leave .required out"))
        let missing = message([Newer.Book.self])
        #expect(missing.contains("Vehicle is in the store only"))
        #expect(missing.contains("Open it with the model that it was made for"))
    }
}
