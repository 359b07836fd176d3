import Testing

/// Programs that must not compile, and programs that must.
///
/// A program that leaks and its twin differ only in the leak. The twin shows that the compiler
/// refuses the leak itself. All twins of a test are compiled as one module.
@Suite("Refused programs") struct RefusalTests {
    @Test(arguments: Dialect.allCases, DoorLeak.all)
    func `objects and contexts cannot enter or leave a block of another context`(
        _ dialect: Dialect, _ leak: DoorLeak
    ) async throws {
        try await Refusal.check(Door.all.map { leak.refusal(through: $0) }, as: dialect)
    }

    @Test func `a block cannot return objects or contexts`() async throws {
        try await Refusal.check(Refusal.results)
    }

    @Test func `a block cannot keep its objects or its context outside`() async throws {
        try await Refusal.check(Refusal.keeping)
    }

    @Test func `an object cannot leave its isolation in a mutex, stream or struct`() async throws {
        try await Refusal.check(Refusal.carriers)
    }

    @Test func `objects of the main actor cannot leave for other tasks`() async throws {
        try await Refusal.check(Refusal.tasks)
    }

    @Test func `the context and objects of an actor cannot leave the actor`() async throws {
        try await Refusal.check(Refusal.actors)
    }

    @Test func `a call from the wrong isolation or function does not compile`() async throws {
        try await Refusal.check(Refusal.verbs)
    }

    @Test func `the compiler reports impossible entities and values of wrong types`() async throws {
        try await Refusal.check(Refusal.entities)
    }

    @Test func `wrong uses of an entity hierarchy do not compile`() async throws {
        try await Refusal.check(Refusal.inheritance)
    }

    @Test func `the compiler errors that the pages mention occur`() async throws {
        try await Refusal.check(Refusal.pages)
    }

    @Test func `predicates and closures refuse the expressions they do not support`() async throws {
        try await Refusal.check(Refusal.predicates)
    }

    @Test(arguments: Refusal.holes)
    func `a function isolated to another actor is refused as a block`(
        _ refusal: Refusal
    ) async throws {
        await withKnownIssue("Swift 6.3 drops the isolation") { try await refusal.check() }
    }

    @Test func `the message for a wrong declaration says what to write instead`() async throws {
        try await Refusal.check(Refusal.declarations)
    }

    @Test func `the message for a wrong rule or hook says what to write instead`() async throws {
        try await Refusal.check(Refusal.rules)
    }

    @Test func `rows, pages and lazy results cannot cross isolations`() async throws {
        try await Refusal.check(Refusal.batches)
    }

    @Test(arguments: Dialect.allCases)
    func `correct uses of save blocks and reads compile under every setting`(
        _ dialect: Dialect
    ) async throws {
        let leaks = Door.all.flatMap { door in DoorLeak.all.map { $0.refusal(through: door) } }
        try await checkTwins(of: leaks, as: dialect)
    }

    @Test func `the corrected version of every refused program compiles`() async throws {
        try await checkTwins(
            of: Refusal.results + Refusal.keeping + Refusal.carriers + Refusal.tasks
                + Refusal.actors + Refusal.verbs + Refusal.entities + Refusal.declarations
                + Refusal.rules + Refusal.inheritance + Refusal.holes + Refusal.batches
                + Refusal.pages + Refusal.predicates)
    }

    @Test(arguments: ["", "nonisolated "])
    func `entities compile in a module with default main-actor isolation`(
        _ modifier: String
    ) async throws {
        let program = Program(
            text: """
                @Entity \(modifier)final class Pet: ManagedObject {
                    @Attribute(.validated("must be short") { (name: String) in name.count < 9 })
                    var name: String
                    @Relationship(inverse: \\Keeper.pets) var keeper: Keeper?
                    override func awakeFromFetch() { name = name.uppercased() }
                    override func willSave() {}
                    override func validateForInsert() throws {
                        throw ValidationError("is not wanted", property: \\Pet.name)
                    }
                }
                @Entity \(modifier)final class Keeper: ManagedObject {
                    var pets: ToMany<Pet>
                    var isBusy: Bool { pets.count > 3 }
                }
                @Entity \(modifier)class Room: ManagedObject { var size: Int = 1 }
                @Entity \(modifier)final class Cage: Room { var bars: Int? }
                func program(_ stack: ContextStack) async throws {
                    try await stack.saveWithBlock { _ = try Pet.create(in: $0, name: "Rex") }
                    print(try Pet.find(in: stack.defaultContext).map(\\.name))
                }
                """)
        let outcome = try await SwiftCompiler.shared.value.compile(
            [program.source(named: "Accepted")], as: .mainActorByDefault)
        #expect(outcome.succeeded, "\(outcome.output)")
    }

    @Test func `a default value may use a literal conformance of the program`() async throws {
        let source = SwiftCompiler.Source(
            name: "Literals.swift",
            text: """
                import Foundation
                import RecordStack

                extension URL: @retroactive ExpressibleByStringLiteral {
                    public init(stringLiteral value: String) { self = URL(string: value)! }
                }
                @Entity final class Beacon: ManagedObject {
                    var number: Int
                    var site: URL = "https://example.org/"
                    var gain: Double? = 3
                }
                func program(_ context: ManagedObjectContext) throws {
                    try Beacon.create(in: context, number: 1)
                }
                """)
        let outcome = try await SwiftCompiler.shared.value.compile([source])
        #expect(outcome.succeeded && outcome.diagnostics.isEmpty, "\(outcome.output)")
    }

    private func checkTwins(of refusals: [Refusal], as dialect: Dialect = .plain) async throws {
        let sources = refusals.enumerated().map { $1.accepted.source(named: "Accepted\($0)") }
        let outcome = try await SwiftCompiler.shared.value.compile(sources, as: dialect)
        for (source, refusal) in zip(sources, refusals) {
            let errors = outcome.errors.filter { $0.file == source.name }.map(\.message)
            #expect(errors.isEmpty, "\(refusal.name)\n\(source.text)")
        }
        #expect(outcome.succeeded, "\(outcome.output)")
    }
}
