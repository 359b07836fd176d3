import Foundation
import RecordStack
import RecordStackTesting

/// Two entities with all hooks, which tell the journal, and one that inherits from the first: the same but
/// for who wrote them.
protocol HookTwin: SendableMetatype {
    associatedtype Singer: SingerValues
    associatedtype Soloist: SoloistValues
    associatedtype Choir: ChoirValues
}

protocol SingerValues: ManagedObject {
    var name: String { get set }
    var number: Int { get set }
    var code: String? { get set }
    /// Kept in the object alone.
    var greeting: String { get set }
    /// The choir, whatever class it is of.
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

    /// A singer that is stored, with a choir if one is named; the journal is empty afterwards.
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
