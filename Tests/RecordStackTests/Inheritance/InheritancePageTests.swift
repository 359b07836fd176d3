import RecordStack
import RecordStackTesting
import Testing

// The entities of the page on inheritance.
enum Museum {
    @Entity(.abstract) class Item: ManagedObject {
        @Attribute(.unique) var code: String
        @Attribute var title: String = ""
        @Relationship(inverse: \Room.items) var room: Room?
    }

    @Entity class Book: Item {
        @Attribute(.range(1...)) var pages: Int = 1
    }

    @Entity final class Atlas: Book {
        @Attribute var scale: Double?
    }

    @Entity final class Film: Item {
        @Attribute var minutes: Int = 0
    }

    @Entity final class Room: ManagedObject {
        @Attribute(.unique) var number: Int
        @Relationship var items: ToMany<Item>
    }
}

@Suite("The page on inheritance") struct InheritancePageTests {
    @Test func `the page on inheritance shows the diagram of its entities`() throws {
        let test = try TestStack(
            for: Museum.Item.self, Museum.Book.self, Museum.Atlas.self, Museum.Film.self)
        let shown = try documentationPage("Inheritance")
        #expect(shown.contains("```mermaid\n" + test.stack.model.diagram(.mermaid) + "\n```"))
    }

    @Test func `the documentation's inheritance examples behave as documented`() throws {
        let test = try TestStack(for: Museum.Atlas.self, Museum.Film.self)
        let context = test.stack.newContext()
        let room = try Museum.Room.create(in: context, number: 2)
        let atlas = try Museum.Atlas.create(in: context)
        (atlas.code, atlas.title, atlas.pages, atlas.room) = ("A 1", "World", 600, room)
        let book = try Museum.Book.create(in: context)
        (book.code, book.title, book.pages, book.room) = ("B 1", "Novel", 700, room)
        let film = try Museum.Film.create(in: context)
        (film.code, film.title, film.minutes, film.room) = ("F 1", "Alien", 117, room)
        try context.saveAndWait()
        for context in [context, test.stack.newContext()] {
            var lines: [String] = []
            for item in try Museum.Item.find(sortedBy: .ascending(\.title), in: context) {
                switch item {
                case let film as Museum.Film: lines.append("\(film.title) \(film.minutes)")
                case let book as Museum.Book: lines.append("\(book.title) \(book.pages)")
                default: break
                }
            }
            #expect(lines == ["Alien 117", "Novel 700", "World 600"])
            let long = try Museum.Book.find(in: context) { $0.pages > 500 && $0.room.number == 2 }
            #expect(Set(long.map(\.code)) == ["A 1", "B 1"])
            let plain = try context.find(
                Museum.Book.where { $0.pages > 500 }.excludingSubentities())
            #expect(plain.map(\.code) == ["B 1"])
            let room = try #require(try Museum.Room.find(in: context).first)
            #expect(room.items.count == 3 && room.items.contains { $0 is Museum.Atlas })
            let minutes = try Museum.Item.snapshots(in: context).compactMap {
                $0.as(Museum.Film.self)?.minutes
            }
            #expect(minutes == [117])
        }
        // The code is unique in the whole hierarchy.
        film.code = "A 1"
        #expect(throws: RecordStackError.self) { try context.saveAndWait() }
        film.code = "F 1"
        atlas.pages = 0
        let error = #expect(throws: RecordStackError.self) { try context.saveAndWait() }
        #expect(error?.code == .validation)
    }

    @Test
    func `create without values throws immediately only for abstract entities`() throws {
        let context = try TestStack(for: Museum.Atlas.self, Museum.Film.self).stack.newContext()
        let calls: [() throws -> Void] = [
            { try Museum.Item.create(in: context) }, { try context.create(Museum.Item.self) },
        ]
        for call in calls {
            let error = #expect(throws: RecordStackError.self) { try call() }
            #expect(error?.code == .misuse)
            #expect(error?.message.contains("Make one of an entity that inherits from it") == true)
        }
        #expect(!context.hasChanges)
        // The atlas inherits its required code, and the room declares its required number.
        let atlas = try Museum.Atlas.create(in: context)
        let room = try Museum.Room.create(in: context)
        let error = #expect(throws: RecordStackError.self) { try context.saveAndWait() }
        #expect(error?.code == .validation)
        #expect(Set(error?.failures.map(\.property) ?? []) == ["code", "number"])
        (atlas.code, room.number) = ("A 1", 2)
        #expect(try context.saveAndWait() != .noChanges)
    }
}
