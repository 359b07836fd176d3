import Testing

/// What must not compile, and what must.
///
/// A program that leaks and its twin are the same but for the leak: the twin shows that it is the
/// leak that the compiler refuses. All twins of a test are compiled as one module.
@Suite struct RefusalTests {
    @Test(arguments: Dialect.allCases, DoorLeak.all)
    func `nothing goes through a door that belongs to one side`(
        _ dialect: Dialect, _ leak: DoorLeak
    ) async throws {
        try await Refusal.check(Door.all.map { leak.refusal(through: $0) }, as: dialect)
    }

    @Test func `a block returns values only`() async throws {
        try await Refusal.check(Refusal.results)
    }

    @Test func `a block keeps nothing of its context outside of it`() async throws {
        try await Refusal.check(Refusal.keeping)
    }

    @Test func `nothing carries an object to other threads`() async throws {
        try await Refusal.check(Refusal.carriers)
    }

    @Test func `objects of the main actor stay in its tasks`() async throws {
        try await Refusal.check(Refusal.tasks)
    }

    @Test func `an actor's context and objects stay with it`() async throws {
        try await Refusal.check(Refusal.actors)
    }

    @Test func `a verb is used where it can be`() async throws {
        try await Refusal.check(Refusal.verbs)
    }

    @Test func `mistakes in entities and values are named`() async throws {
        try await Refusal.check(Refusal.entities)
    }

    @Test func `a hierarchy is used as it is declared`() async throws {
        try await Refusal.check(Refusal.inheritance)
    }

    @Test func `what the pages say of the compiler is so`() async throws {
        try await Refusal.check(Refusal.pages)
    }

    @Test func `predicates and closures refuse what the other alone may have`() async throws {
        try await Refusal.check(Refusal.predicates)
    }

    @Test(arguments: Refusal.holes) func `an isolated function is no block`(
        _ refusal: Refusal
    ) async throws {
        await withKnownIssue("Swift 6.3 drops the isolation") { try await refusal.check() }
    }

    @Test func `a wrong declaration is said with what to write`() async throws {
        try await Refusal.check(Refusal.declarations)
    }

    @Test func `a wrong rule or hook is said with what to write`() async throws {
        try await Refusal.check(Refusal.rules)
    }

    @Test func `rows, pages and lazy results stay on their side`() async throws {
        try await Refusal.check(Refusal.batches)
    }

    @Test(arguments: Dialect.allCases) func `the same doors without the leak compile`(
        _ dialect: Dialect
    ) async throws {
        let leaks = Door.all.flatMap { door in DoorLeak.all.map { $0.refusal(through: door) } }
        try await checkTwins(of: leaks, as: dialect)
    }

    @Test func `the same programs without the fault compile`() async throws {
        try await checkTwins(
            of: Refusal.results + Refusal.keeping + Refusal.carriers + Refusal.tasks
                + Refusal.actors + Refusal.verbs + Refusal.entities + Refusal.declarations
                + Refusal.rules + Refusal.inheritance + Refusal.holes + Refusal.batches
                + Refusal.pages + Refusal.predicates)
    }

    @Test(arguments: ["", "nonisolated "])
    func `a module that is the main actor's by default has nonisolated entities`(
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

    @Test func `a default is kept that the program has made a literal of its type`() async throws {
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
