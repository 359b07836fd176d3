import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// Stored variables without `@Attribute` or `@Relationship`, which become properties.
@MainActor @Suite("Properties without an attribute macro") struct ImpliedPropertyTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(entities: [Errand.self, Helper.self], at: .temporaryFile)
        context = test.stack.defaultContext
    }

    private func properties(of entity: EntityDescription) -> [String] {
        (entity.attributes.map(\.name) + entity.relationships.map(\.name)).sorted()
    }

    @Test func `an entity's stored variables are properties even without a macro`() {
        let names = properties(of: Errand.entityDescription)
        #expect(
            names == [
                "due", "for", "helpers", "isDone", "kind", "lead", "secret", "stepCount", "title",
            ])
    }

    @Test func `an entity's unmarked variable is saved and filtered like an attribute`()
        async throws
    {
        let errand = try Errand.create(in: context, title: "shop", due: .distantPast)
        errand.count(3, secret: "s")
        errand.isDone = true
        errand.for = "Ann"
        errand.kind = .rare
        try await context.save()
        let found = try #require(
            try Errand.findFirst(in: test.stack.newContext()) { $0.isDone && $0.stepCount == 3 })
        #expect(found.summary == "shop, 3, s")
        #expect(found.due == .distantPast && found.for == "Ann" && found.kind == .rare)
    }

    @Test func `an entity's unmarked variable of type ToMany is a relationship`() throws {
        let errand = try Errand.create(in: context, title: "shop")
        errand.helpers.insert(try Helper.create(in: context, name: "Bob"))
        errand.lead = errand.helpers.first { _ in true }
        #expect(errand.lead?.name == "Bob" && errand.lead?.leads.count == 1)
    }

    @Test func `an entity's computed, static and lazy variables are not stored`() throws {
        let errand = try Errand.create(in: context, title: "shop")
        errand.draft = "d"
        errand.length += 1
        #expect(!errand.changedValues().keys.contains("draft"))
        #expect(errand.length == 5 && Errand.limit == 10)
    }
}

@Entity final class Errand: ManagedObject {
    enum Kind: String, CaseIterable, AttributeValue { case common, rare }

    static let limit = 10

    var title: String
    @available(macOS 15, *) var isDone = false
    var due: Date?
    var kind: Kind = .common
    private(set) var stepCount: Int = 0
    private var secret: String?
    var `for`: String?
    var helpers: ToMany<Helper>
    @Relationship(inverse: \Helper.leads) var lead: Helper?
    @Attribute(.transient) var draft = ""
    lazy var length = title.count

    var summary: String { "\(title), \(stepCount), \(secret ?? "")" }

    func count(_ steps: Int, secret: String) { (stepCount, self.secret) = (steps, secret) }
}

@Entity final class Helper: ManagedObject {
    var name: String
    var leads: ToMany<Errand>
}
