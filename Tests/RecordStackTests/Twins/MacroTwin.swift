import Foundation
import RecordStack

/// The entities of `HandEntities`, made by macros.
enum MacroEntities {
    @Entity(.indexed(\.name, \.age)) class Author: ManagedObject {
        @Attribute(.unique, .imported(from: "contact.mail", "email")) var email: String
        @Attribute(.imported(from: "full_name", "name")) var name: String = "nobody"
        @Attribute var age: Int?
        @Attribute(.stored(as: "stars")) var rating: Double = 1.5
        @Attribute(.dateFormat(.pattern("dd.MM.yyyy"))) var joined: Date?
        @Attribute var isActive: Bool = true
        @Attribute var status: Status = .draft
        @Attribute var tags: [String] = []
        @Relationship(inverse: \League.members) var league: League?
    }

    @Entity final class Editor: Author {
        @Attribute var desk: String
        @Attribute var level: Int = 3
    }

    @Entity final class League: ManagedObject {
        @Attribute(.unique) var title: String
        @Relationship var members: ToMany<Author>
    }
}

extension MacroEntities.Author: TwinAuthor {
    typealias League = MacroEntities.League
}

extension MacroEntities.Editor: TwinEditor {}

extension MacroEntities.League: TwinLeague {
    typealias Author = MacroEntities.Author
}

enum MacroTwin: Twin {
    typealias Author = MacroEntities.Author
    typealias Editor = MacroEntities.Editor
    typealias League = MacroEntities.League

    static var author: AuthorPaths<Author, League> {
        AuthorPaths(
            email: \.email, name: \.name, age: \.age, rating: \.rating, joined: \.joined,
            isActive: \.isActive, status: \.status, tags: \.tags, league: \.league)
    }
    static var editor: EditorPaths<Editor> {
        EditorPaths(email: \.email, age: \.age, desk: \.desk, level: \.level)
    }
    static var league: ReferenceWritableKeyPath<League, String> { \.title }
}
