import Testing

/// Programs that must not compile, and programs that must.
///
/// A program that leaks and its twin differ only in the leak. The twin shows that the compiler
/// refuses the leak itself. All twins of a test are compiled as one module.
@Suite("Refused programs") struct RefusalTests {
    @Test(arguments: Dialect.allCases, DoorLeak.all)
    func `moving objects or contexts into or out of a block does not compile`(
        _ dialect: Dialect, _ leak: DoorLeak
    ) async throws {
        try await Refusal.check(Door.all.map { leak.refusal(through: $0) }, as: dialect)
    }

    @Test func `a block that returns an object or a context does not compile`() async throws {
        try await Refusal.check(Refusal.results)
    }

    @Test func `a block that keeps its objects or context outside does not compile`() async throws {
        try await Refusal.check(Refusal.keeping)
    }

    @Test func `sharing an object by mutex, stream or struct does not compile`() async throws {
        try await Refusal.check(Refusal.carriers)
    }

    @Test func `passing objects of the main actor to other tasks does not compile`() async throws {
        try await Refusal.check(Refusal.tasks)
    }

    @Test func `passing an actor's context or objects outside does not compile`() async throws {
        try await Refusal.check(Refusal.actors)
    }

    @Test func `wrong-isolation calls and blocking calls in async code do not compile`()
        async throws
    {
        try await Refusal.check(Refusal.verbs)
    }

    @Test func `invalid entities and values of wrong types do not compile`() async throws {
        try await Refusal.check(Refusal.entities)
    }

    @Test func `wrong uses of an entity hierarchy do not compile`() async throws {
        try await Refusal.check(Refusal.inheritance)
    }

    @Test func `the compiler errors that the documentation mentions occur`() async throws {
        try await Refusal.check(Refusal.pages)
    }

    @Test func `unsupported expressions in predicates and filters do not compile`() async throws {
        try await Refusal.check(Refusal.predicates)
    }

    @Test(arguments: Refusal.holes)
    func `known issue: a block that is a function of another actor compiles`(
        _ refusal: Refusal
    ) async throws {
        await withKnownIssue("Swift 6.3 drops the isolation") { try await refusal.check() }
    }

    @Test func `the compiler error for a wrong declaration says what to write`() async throws {
        try await Refusal.check(Refusal.declarations)
    }

    @Test func `the compiler error for a wrong rule or hook says what to write`() async throws {
        try await Refusal.check(Refusal.rules)
    }

    @Test func `sending pages or lazy results to another isolation does not compile`() async throws
    {
        try await Refusal.check(Refusal.batches)
    }

    @Test(arguments: Dialect.allCases)
    func `correct save blocks and reads compile in every isolation mode`(
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

    @Test func `an attribute's default can be a literal that an extension makes valid`()
        async throws
    {
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
