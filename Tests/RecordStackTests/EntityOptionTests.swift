import Foundation
import RecordStack
import RecordStackTesting
import TestSupport
import Testing

@Entity(.unique(\.team, \.number), .indexed(\.name, \.number), .stored(as: "the players"))
final class Player: ManagedObject {
    @Attribute(.indexed(collation: .caseInsensitive)) var name: String = ""
    @Attribute var number: Int?
    @Attribute(.stored(as: "class")) var `class`: String?
    @Attribute(.transient) var isSelected: Bool = false
    @Attribute(.transient) var note: String?
    @Relationship(inverse: \Club.players) var team: Club?
}

@Entity final class Club: ManagedObject {
    @Attribute(.unique) var title: String
    @Relationship var players: ToMany<Player>
}

@Entity class Token: ManagedObject {
    @Attribute(.unique) var code: Data
    @Attribute var area: String = ""
}

@Entity(.unique(\.area, \.level)) final class Permit: Token {
    @Attribute var level: Int = 0
}

@Entity final class Ticket: Token {
    @Attribute var seat: Int = 0
}

/// Rules and indexes of one property, some of them declared twice.
@Entity(.unique(\.title), .indexed(\.title), .indexed(\.place), .unique(\.code))
class Poster: ManagedObject {
    @Attribute(.unique) var code: Int
    @Attribute(.indexed) var title: String = ""
    @Attribute(.indexed) var place: String = ""
    @Attribute var year: Int?
}

@Entity(.unique(\.code), .indexed(\.place), .unique(\.title, \.year), .indexed(\.year))
class Print: Poster {}

@Entity(.unique(\.title, \.year), .indexed(\.year))
final class Copy: Print {}

/// Options of a whole entity, and options of single attributes.
@Suite("Options of entities and attributes") struct EntityOptionTests {
    @Test func `a save enforces a unique combination of properties`() async throws {
        let test = try TestStack(for: Player.self)
        let context = test.stack.newContext()
        let a = try Club.create(in: context, title: "A")
        let b = try Club.create(in: context, title: "B")
        try Player.create(in: context, name: "Ann", number: 1, team: a)
        try Player.create(in: context, name: "Bob", number: 1, team: b)
        // A null equals no other value.
        try Player.create(in: context, name: "Cem", team: a)
        try Player.create(in: context, name: "Dee", team: a)
        try await context.save()
        let eve = try Player.create(in: context, name: "Eve", number: 1, team: a)
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.code == .constraint && error?.objectID == eve.objectID)
        #expect(
            error?.message.contains("number, team") == true
                || error?.message.contains("team, number") == true, "\(error?.message ?? "")")
        eve.number = 2
        try await context.save()
    }

    @Test func `one save can exchange unique combinations between objects`() async throws {
        let test = try TestStack(for: Player.self)
        let context = test.stack.newContext()
        let a = try Club.create(in: context, title: "A")
        let b = try Club.create(in: context, title: "B")
        let ann = try Player.create(in: context, name: "Ann", number: 1, team: a)
        let bob = try Player.create(in: context, name: "Bob", number: 2, team: a)
        let cem = try Player.create(in: context, name: "Cem", number: 1, team: b)
        try await context.save()
        (ann.number, bob.number) = (2, 1)
        try await context.save()
        // A cycle over both properties: ann a2 → b1 → a1 → a2.
        (ann.team, ann.number) = (b, 1)
        (cem.team, cem.number) = (a, 1)
        (bob.team, bob.number) = (a, 2)
        try await context.save()
        let stored = try Player.snapshots(sortedBy: .ascending(\.name), in: test.stack.newContext())
        #expect(stored.map(\.number) == [1, 2, 1])
        #expect(stored.map(\.team) == [b.objectID, a.objectID, a.objectID])
    }

    @Test func `one save can exchange unique values between subentities`() async throws {
        let test = try TestStack(for: Permit.self, Ticket.self)
        let context = test.stack.newContext()
        let badge = try Permit.create(in: context)
        badge.code = Data([1])
        let ticket = try Ticket.create(in: context)
        ticket.code = Data([2])
        try await context.save()
        (badge.code, ticket.code) = (ticket.code, badge.code)
        try await context.save()
        let tokens = try Token.find(sortedBy: .ascending(\.code), in: test.stack.newContext())
        #expect(tokens.map { $0 is Ticket } == [true, false])
    }

    @Test func `a subentity's unique combination can include inherited properties`() async throws {
        let context = try TestStack(for: Permit.self, Ticket.self).stack.newContext()
        for code in 0..<2 as Range<UInt8> {
            let badge = try Permit.create(in: context, level: 1)
            badge.code = Data([code])
            badge.area = "x"
        }
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.code == .constraint && error?.entity == "Permit")
    }

    @Test func `tables, columns and indexes have the declared names`() throws {
        let test = try TestStack(for: Player.self, at: .temporaryFile)
        let other = try ForeignProgram(path: #require(test.path))
        #expect(
            try other.rows("SELECT name FROM pragma_table_info('the players')").map { $0[0] }
                == ["_key", "_version", "name", "number", "class", "team"])
        let indexes = try other.rows(
            "SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'the players'")
        let texts = indexes.map { $0[0] }.joined(separator: "\n")
        #expect(texts.contains(#"("team","number")"#) && texts.contains("UNIQUE"))
        #expect(texts.contains(#"("name","number")"#))
        #expect(texts.contains("RECORDSTACK_CASELESS"))
    }

    @Test func `a transient attribute is never a change and is reset by a refresh`() async throws {
        let test = try TestStack(for: Player.self)
        let context = test.stack.newContext()
        let ann = try Player.create(in: context, name: "Ann")
        try await context.save()
        ann.isSelected = true
        ann.note = "x"
        #expect(!ann.hasChanges && !context.hasChanges && ann.isSelected && ann.note == "x")
        #expect(ann.changedValues().isEmpty)
        try context.refresh(ann, mergingChanges: false)
        #expect(ann.name == "Ann" && !ann.isSelected && ann.note == nil)
    }

    @Test func `an entity can have more than 64 attributes`() async throws {
        let test = try TestStack(for: Wide.self, at: .temporaryFile)
        let context = test.stack.newContext()
        let wide = try Wide.create(in: context)
        (wide.a00, wide.a63, wide.a64, wide.a69) = (1, 64, 65, 70)
        try await context.save()
        wide.a64 = -65
        #expect(wide.changedValues() == ["a64": .integer(-65)])
        let other = test.stack.newContext()
        let theirs = try #require(try Wide.findFirst(in: other))
        theirs.a69 = -70
        try await context.save()
        try await other.save()
        #expect(theirs.a64 == -65 && theirs.a69 == -70 && theirs.a63 == 64 && theirs.a00 == 1)
        wide.a64 = 0
        context.rollback()
        #expect(wide.a64 == -65)
        #expect(try Wide.count(in: test.stack.newContext()) { $0.a69 == -70 && $0.a64 < 0 } == 1)
    }

    @Test func `a unique or index rule that is declared twice creates one index`() async throws {
        let test = try TestStack(for: Copy.self, at: .temporaryFile)
        let context = test.stack.newContext()
        try Poster.create(in: context, code: 1, title: "A")
        let copy = try Copy.create(in: context)
        (copy.code, copy.title) = (2, "A")
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.code == .constraint && error?.property == "title")
        copy.title = "B"
        try await context.save()
        let other = try ForeignProgram(path: #require(test.path))
        let indexes = try other.rows(
            "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql NOTNULL")
        #expect(
            indexes.map { $0[0] }.sorted() == [
                #"CREATE INDEX "_Poster.place" ON "Poster"("place")"#,
                #"CREATE INDEX "_Poster.year" ON "Poster"("year")"#,
                #"CREATE UNIQUE INDEX "_Poster.code" ON "Poster"("code")"#,
                #"CREATE UNIQUE INDEX "_Poster.title" ON "Poster"("title")"#,
                #"CREATE UNIQUE INDEX "_Poster.title,year.unique" ON "Poster"("title","year")"#,
            ])
    }

    @Test func `a declared table name can contain backslashes, dots and quotes`() throws {
        #expect(Slash.entityDescription.storedName == "a\\.b")
        #expect(Raw.entityDescription.storedName == #"a\.b "q""#)
    }

    @Test func `adding or dropping a unique or index rule is a model mismatch`() throws {
        let folder = try TemporaryFolder("options")
        let bills: [(entity: ManagedObject.Type, words: String)] = [
            (Plain.Bill.self, ""),
            (Ruled.Bill.self, "Bill is unique by number"),
            (Sorted.Bill.self, "Bill is indexed by number"),
            (Unique.Bill.self, "unique"), (Indexed.Bill.self, "indexed"),
        ]
        // Opening the store of one model with another adds a rule, drops a rule, or does both.
        for (index, before) in bills.enumerated() {
            let path = StoreLocation.file(folder.file("store\(index).sqlite"))
            try ContextStack(entities: [before.entity], at: path, options: StoreOptions()).close()
            for (place, later) in bills.enumerated() where place != index {
                let error = #expect(throws: RecordStackError.self) {
                    try ContextStack(entities: [later.entity], at: path, options: StoreOptions())
                }
                #expect(error?.code == .modelMismatch)
                let words = place == 0 ? before.words : later.words
                #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            }
        }
    }
}

@Entity(.stored(as: "a\\.b"), .unique(\.number)) private final class Slash: ManagedObject {
    @Attribute var number: Int = 0
}

@Entity(.stored(as: #"a\.b "q""#)) private final class Raw: ManagedObject {
    @Attribute var number: Int = 0
}

private enum Plain {
    @Entity final class Bill: ManagedObject {
        @Attribute var number: Int = 0
    }
}

private enum Ruled {
    @Entity(.unique(\.number)) final class Bill: ManagedObject {
        @Attribute var number: Int = 0
    }
}

private enum Sorted {
    @Entity(.indexed(\.number)) final class Bill: ManagedObject {
        @Attribute var number: Int = 0
    }
}

private enum Unique {
    @Entity final class Bill: ManagedObject {
        @Attribute(.unique) var number: Int = 0
    }
}

private enum Indexed {
    @Entity final class Bill: ManagedObject {
        @Attribute(.indexed) var number: Int = 0
    }
}
