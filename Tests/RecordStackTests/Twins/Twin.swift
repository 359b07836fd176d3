import Foundation
import RecordStack

/// Three entities that are the same but for who wrote them.
///
/// Key paths are made where the classes are known: those of a protocol's requirement name no property.
protocol Twin: SendableMetatype {
    associatedtype Author: TwinAuthor
    associatedtype Editor: TwinEditor
    associatedtype League: TwinLeague where League.Author == Author, Author.League == League

    static var author: AuthorPaths<Author, League> { get }
    static var editor: EditorPaths<Editor> { get }
    static var league: ReferenceWritableKeyPath<League, String> { get }
}

enum TwinKind: CaseIterable {
    case macro, byHand

    var twin: any Twin.Type {
        switch self {
        case .macro: MacroTwin.self
        case .byHand: HandTwin.self
        }
    }
}

protocol TwinValues: ManagedObject {
    var email: String { get set }
    var name: String { get set }
    var age: Int? { get set }
    var rating: Double { get set }
    var joined: Date? { get set }
    var isActive: Bool { get set }
    var status: Status { get set }
    var tags: [String] { get set }
}

protocol TwinAuthor: TwinValues {
    associatedtype League
    var league: League? { get set }
}

protocol TwinEditor: TwinAuthor {
    var desk: String { get set }
    var level: Int { get set }
}

protocol TwinLeague: ManagedObject {
    associatedtype Author: ManagedObject
    var title: String { get set }
    var members: ToMany<Author> { get }
}

struct AuthorPaths<Author: ManagedObject, League: ManagedObject> {
    let email: ReferenceWritableKeyPath<Author, String>
    let name: ReferenceWritableKeyPath<Author, String>
    let age: ReferenceWritableKeyPath<Author, Int?>
    let rating: ReferenceWritableKeyPath<Author, Double>
    let joined: ReferenceWritableKeyPath<Author, Date?>
    let isActive: ReferenceWritableKeyPath<Author, Bool>
    let status: ReferenceWritableKeyPath<Author, Status>
    let tags: ReferenceWritableKeyPath<Author, [String]>
    let league: ReferenceWritableKeyPath<Author, League?>
}

struct EditorPaths<Editor: ManagedObject> {
    let email: ReferenceWritableKeyPath<Editor, String>
    let age: ReferenceWritableKeyPath<Editor, Int?>
    let desk: ReferenceWritableKeyPath<Editor, String>
    let level: ReferenceWritableKeyPath<Editor, Int>
}
