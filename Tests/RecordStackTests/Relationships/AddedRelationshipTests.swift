import RecordStack
import TestSupport
import Testing

/// A model that adds relationships of all kinds.
enum Related {
    @Entity(identity: \.title) final class Book: ManagedObject {
        @Attribute(.unique) var title: String
        @Relationship(inverse: \Author.books) var authors: ToMany<Author>
        @Relationship var pages: OrderedToMany<Page>
        @Relationship(inverse: \Book.before) var after: Book?
        @Relationship var before: Book?
        @Relationship var mentioned: ToMany<Book>
    }

    @Entity final class Author: ManagedObject {
        @Attribute var name: String = ""
        @Relationship var books: OrderedToMany<Book>
    }

    @Entity final class Page: ManagedObject {
        @Attribute var number: Int = 0
        @Relationship(inverse: \Book.pages) var book: Book?
    }

    @Entity class Vehicle: ManagedObject {
        @Attribute var wheels: Int = 4
        @Relationship(.symmetric) var convoy: ToMany<Vehicle>
    }
}

/// A model that adds an order to a relationship.
enum Ordered {
    @Entity final class Shelf: ManagedObject {
        @Attribute(.unique) var label: String
        @Relationship var books: OrderedToMany<Book>
    }

    @Entity(identity: \.title) final class Book: ManagedObject {
        @Attribute(.unique) var title: String
        @Attribute(.indexed) var pages: Int = 100
        @Attribute(.unique) var isbn: String?
        @Attribute var status: Status = .published
        @Relationship(inverse: \Shelf.books) var shelf: Shelf?
    }

    @Entity class Vehicle: ManagedObject {
        @Attribute var wheels: Int = 4
    }

    @Entity final class Truck: Vehicle {
        @Attribute var tons: Double = 1.5
    }
}

enum Unordered {
    @Entity final class Album: ManagedObject {
        @Attribute(.unique) var title: String
        @Relationship(inverse: \Song.albums) var songs: ToMany<Song>
    }

    @Entity final class Song: ManagedObject {
        @Attribute(.unique) var name: String
        @Relationship var albums: ToMany<Album>
    }
}

enum Arranged {
    @Entity final class Album: ManagedObject {
        @Attribute(.unique) var title: String
        @Relationship(inverse: \Song.albums) var songs: OrderedToMany<Song>
    }

    @Entity final class Song: ManagedObject {
        @Attribute(.unique) var name: String
        @Relationship var albums: OrderedToMany<Album>
    }
}

/// Stores that were created for a model without some relationships, or without their order.
@Suite("Added relationships") struct AddedRelationshipTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("relationships")
        let stack = try ContextStack(
            for: Older.Book.self, Older.Vehicle.self, at: .file(folder.file("store.sqlite")))
        try stack.saveWithBlockAndWait { context in
            for title in ["A", "B"] { try Older.Book.create(in: context, title: title) }
            try Older.Vehicle.create(in: context, wheels: 3)
        }
        try stack.close()
    }

    private var path: String { folder.file("store.sqlite") }

    @Test func `a model can add relationships of every kind to a store`() async throws {
        for round in 0..<2 {
            let stack = try ContextStack(
                for: Related.Book.self, Related.Vehicle.self, at: .file(path))
            let context = stack.newContext()
            let books = try Related.Book.find(sortedBy: .ascending(\.title), in: context)
            let vehicle = try #require(try Related.Vehicle.find(in: context).first)
            if round == 0 {
                #expect(books.allSatisfy { $0.authors.isEmpty && $0.pages.isEmpty })
                #expect(books[0].after == nil && vehicle.convoy.isEmpty)
                let ann = try Related.Author.create(in: context)
                for book in books.reversed() { ann.books.append(book) }
                for number in 1...3 {
                    let page = try Related.Page.create(in: context)
                    page.number = number
                    books[0].pages.insert(page, at: 0)
                }
                books[0].after = books[1]
                books[1].mentioned.insert(books[0])
                vehicle.convoy.insert(vehicle)
                try await context.save()
            } else {
                #expect(Array(books[0].authors)[0].books.map(\.title) == ["B", "A"])
                #expect(books[0].pages.map(\.number) == [3, 2, 1])
                #expect(books[1].before === books[0] && books[1].mentioned.contains(books[0]))
                #expect(vehicle.convoy.contains(vehicle) && vehicle.wheels == 3)
            }
            try stack.close()
        }
        #expect(try ForeignProgram(path: path).rows("PRAGMA integrity_check") == [["ok"]])
    }

    @Test func `a model can add an order to a relationship, but not remove it`() async throws {
        let older = try ContextStack(for: Newer.Book.self, Newer.Truck.self, at: .file(path))
        try await older.saveWithBlock { context in
            let shelf = try Newer.Shelf.create(in: context, label: "S")
            for book in try Newer.Book.find(in: context) { book.shelf = shelf }
        }
        try older.close()
        for titles in [["A", "B"], ["B", "A"]] {
            let stack = try ContextStack(
                for: Ordered.Book.self, Ordered.Truck.self, at: .file(path))
            let context = stack.newContext()
            let shelf = try #require(try Ordered.Shelf.find(in: context).first)
            #expect(shelf.books.map(\.title) == titles)
            shelf.books.move(from: 1, to: 0)
            #expect(shelf.books.map(\.title) == titles.reversed())
            try await context.save()
            try stack.close()
        }
        // The older model would lose the positions.
        let error = #expect(throws: RecordStackError.self) {
            try ContextStack(for: Newer.Book.self, Newer.Truck.self, at: .file(path))
        }
        #expect(error?.message.contains("ordered at the other side") == true)
    }

    @Test func `a model can add an order to both sides of a join table`() async throws {
        let older = try ContextStack(
            for: Unordered.Album.self, at: .file(folder.file("albums.sqlite")))
        try await older.saveWithBlock { context in
            for title in ["A", "B"] {
                let album = try Unordered.Album.create(in: context, title: title)
                for name in ["x", "y"] {
                    let song =
                        try Unordered.Song.findFirst(by: \.name, name, in: context)
                        ?? Unordered.Song.create(in: context, name: name)
                    album.songs.insert(song)
                }
            }
        }
        try older.close()
        for names in [["x", "y"], ["y", "x"]] {
            let stack = try ContextStack(
                for: Arranged.Album.self, at: .file(folder.file("albums.sqlite")))
            let context = stack.newContext()
            let album = try #require(try Arranged.Album.findFirst(by: \.title, "A", in: context))
            let song = try #require(try Arranged.Song.findFirst(by: \.name, "x", in: context))
            #expect(album.songs.map(\.name) == names)
            #expect(song.albums.map(\.title) == (names[0] == "x" ? ["A", "B"] : ["B", "A"]))
            album.songs.move(from: 0, to: 1)
            song.albums.move(from: 0, to: 1)
            try await context.save()
            #expect(try await stack.integrityCheck().isEmpty)
            try stack.close()
        }
    }
}
