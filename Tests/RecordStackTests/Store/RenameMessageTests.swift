import RecordStack
import TestSupport
import Testing

/// Messages for a model that has what a store has, under another name.
@Suite("Messages about renames") struct RenameMessageTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("store.sqlite") }

    init() throws { folder = try TemporaryFolder("renames") }

    private func message(_ entities: ManagedObject.Type...) throws -> String {
        try ContextStack(for: Before.Book.self, at: .file(path)).close()
        let error = #expect(throws: RecordStackError.self) {
            try ContextStack(entities: entities, at: .file(path), options: StoreOptions()).close()
        }
        #expect(error?.code == .modelMismatch)
        return error?.message ?? ""
    }

    @Test func `a model mismatch says how a renamed attribute keeps its column`() throws {
        #expect(
            try message(Renaming.Book.self).contains(
                "If Book.heading is title renamed, write @Attribute(.stored(as: \"title\")) before it"
            ))
    }

    @Test func `a model mismatch says how a renamed relationship keeps its column`() throws {
        #expect(
            try message(Turning.Book.self).contains(
                "If Book.prequel is sequel renamed, write @Relationship(.stored(as: \"sequel\"))"))
    }

    @Test func `a model mismatch says how a renamed entity keeps its name`() throws {
        #expect(
            try message(Calling.Volume.self).contains(
                "If Volume is Book renamed, write @Entity(\"Book\") before it"))
    }

    @Test func `a model mismatch does not guess between two possible renames`() throws {
        #expect(try !message(Doubling.Book.self).contains("renamed"))
    }

    @Test func `a store opens once renames are declared as the error's text advises`() throws {
        try ContextStack(for: Before.Book.self, at: .file(path)).close()
        try ContextStack(for: Heeding.Volume.self, at: .file(path)).close()
    }
}

private enum Before {
    @Entity final class Book: ManagedObject {
        var title: String
        var pages: Int
        @Relationship var sequel: Book?
    }
}

private enum Renaming {
    @Entity final class Book: ManagedObject {
        var heading: String
        var pages: Int
        @Relationship var sequel: Book?
    }
}

private enum Turning {
    @Entity final class Book: ManagedObject {
        var title: String
        var pages: Int
        @Relationship var prequel: Book?
    }
}

private enum Calling {
    @Entity final class Volume: ManagedObject {
        var title: String
        var pages: Int
        @Relationship var sequel: Volume?
    }
}

private enum Doubling {
    @Entity final class Book: ManagedObject {
        var heading: String
        var name: String
        var pages: Int
        @Relationship var sequel: Book?
    }
}

private enum Heeding {
    @Entity("Book") final class Volume: ManagedObject {
        @Attribute(.stored(as: "title")) var heading: String
        var pages: Int
        @Relationship(.stored(as: "sequel")) var prequel: Volume?
    }
}
