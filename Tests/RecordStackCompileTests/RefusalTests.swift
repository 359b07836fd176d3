import Foundation
import Testing

/// What must not compile, and what must.
///
/// A program that leaks and its twin are the same but for the leak: the twin shows that it is the
/// leak that the compiler refuses.
@Suite(.timeLimit(.minutes(5))) struct RefusalTests {
    @Test(arguments: Door.all, DoorLeak.all)
    func `nothing goes through a door that belongs to one side`(
        _ door: Door, _ leak: DoorLeak
    ) async throws {
        for dialect in Dialect.allCases {
            try await leak.refusal(through: door).check(as: dialect)
        }
    }

    @Test(arguments: Refusal.results) func `a block returns values only`(
        _ refusal: Refusal
    ) async throws {
        try await refusal.check()
    }

    @Test(arguments: Refusal.keeping) func `a block keeps nothing of its context outside of it`(
        _ refusal: Refusal
    ) async throws {
        try await refusal.check()
    }

    @Test(arguments: Refusal.carriers) func `nothing carries an object to other threads`(
        _ refusal: Refusal
    ) async throws {
        try await refusal.check()
    }

    @Test(arguments: Refusal.tasks) func `objects of the main actor stay in its tasks`(
        _ refusal: Refusal
    ) async throws {
        try await refusal.check()
    }

    @Test(arguments: Refusal.actors) func `an actor's context and objects stay with it`(
        _ refusal: Refusal
    ) async throws {
        try await refusal.check()
    }

    @Test(arguments: Refusal.verbs) func `a verb is used where it can be`(
        _ refusal: Refusal
    ) async throws {
        try await refusal.check()
    }

    @Test(arguments: Refusal.entities) func `mistakes in entities and values are named`(
        _ refusal: Refusal
    ) async throws {
        try await refusal.check()
    }

    @Test(arguments: Refusal.holes) func `an isolated function is no block`(
        _ refusal: Refusal
    ) async throws {
        await withKnownIssue("Swift 6.3 drops the isolation") { try await refusal.check() }
    }

    @Test(arguments: Dialect.allCases) func `the same programs without the fault compile`(
        _ dialect: Dialect
    ) async throws {
        let leaks = Door.all.flatMap { door in DoorLeak.all.map { $0.refusal(through: door) } }
        let cases =
            leaks + Refusal.results + Refusal.keeping + Refusal.carriers + Refusal.tasks
            + Refusal.actors + Refusal.verbs + Refusal.entities + Refusal.holes
        let sources = cases.enumerated().map { $1.accepted.source(named: "Accepted\($0)") }
        let outcome = try await SwiftCompiler.shared.value.compile(sources, as: dialect)
        for (source, refusal) in zip(sources, cases) {
            let errors = outcome.errors.filter { $0.file == source.name }
            #expect(errors.isEmpty, "\(refusal.name)\n\(source.text)\n\(errors)")
        }
        #expect(outcome.succeeded, "\(outcome.output)")
    }
}
