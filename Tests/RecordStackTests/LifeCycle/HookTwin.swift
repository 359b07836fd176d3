import Foundation
import RecordStack
import RecordStackTesting

/// Two entities with all hooks, which call the journal, and an entity that inherits from the first.
/// One implementation is written by hand, the other by macros.
protocol HookTwin: SendableMetatype {
    associatedtype Singer: SingerValues
    associatedtype Soloist: SoloistValues
    associatedtype Choir: ChoirValues
}

protocol SingerValues: ManagedObject {
    var name: String { get set }
    var number: Int { get set }
    var code: String? { get set }
    /// A value that only the object keeps.
    var greeting: String { get set }
    /// The choir, whatever its class.
    var group: ManagedObject? { get set }
}

protocol SoloistValues: SingerValues {
    var voice: String { get set }
}

protocol ChoirValues: ManagedObject {
    var title: String { get set }
    var seats: Int { get set }
    var singers: [ManagedObject] { get }
}

enum HookTwinKind: CaseIterable {
    case macro, byHand

    var twin: any HookTwin.Type {
        switch self {
        case .macro: MacroHooks.self
        case .byHand: HandHooks.self
        }
    }
}

extension HookTwin {
    static func makeTest(at location: TestStack.Location = .memory) throws -> TestStack {
        try TestStack(for: Singer.self, Soloist.self, Choir.self, at: location)
    }

    /// Stores a singer, with a choir if a title is given, and empties the journal.
    static func store(
        _ name: String, in test: TestStack, choir title: String? = nil, number: Int = 0
    ) throws {
        try test.seed { context in
            let singer = try Singer.create(in: context)
            (singer.name, singer.number) = (name, number)
            guard let title else { return }
            let choir = try Choir.create(in: context)
            choir.title = title
            singer.group = choir
        }
        _ = test.journal.take()
    }

    static func singer(_ name: String, in context: ManagedObjectContext) throws -> Singer? {
        try Singer.find(in: context).first { $0.name == name }
    }
}
