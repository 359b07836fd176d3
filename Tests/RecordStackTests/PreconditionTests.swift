import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// Calls that stop the process, as the documentation of each call says.
@Suite("Preconditions") struct PreconditionTests {
    private static func output(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    /// Creates a person and a team in different contexts.
    private static func strangers() throws -> (Person, Team) {
        let test = try TestStack(for: Person.self)
        let here = test.stack.newContext(name: "here")
        let there = test.stack.newContext(name: "there")
        // Keeps the contexts for as long as the process lives.
        _ = Unmanaged.passRetained(here)
        _ = Unmanaged.passRetained(there)
        return (try Person.create(in: here, email: "a"), try Team.create(in: there, title: "A"))
    }

    @Test func `setting a to-one to an object of another context stops the process`() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let (person, team) = try Self.strangers()
            person.team = team
        }
        let output = Self.output(result)
        #expect(output.contains("“here”") && output.contains("“there”"))
        #expect(output.contains("Find it in the same context first"))
    }

    @Test func `inserting a member of another context stops the process`() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let (person, team) = try Self.strangers()
            team.members.insert(person)
        }
        #expect(Self.output(result).contains("Find it in the same context first"))
    }

    @Test
    func `replacing members with objects of another context stops the process`() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let (person, team) = try Self.strangers()
            team.members.replaceAll(with: [person])
        }
        #expect(Self.output(result).contains("Find it in the same context first"))
    }

    @Test func `an index outside of lazy results stops the process`() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let context = try TestStack(for: Person.self).stack.newContext()
            _ = try Person.findLazily(in: context)[0]
        }
        #expect(Self.output(result).contains("The index 0 is not in the results"))
    }

    @Test func `reading a computed value of a snapshot stops the process`() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let test = try TestStack(for: Person.self)
            let context = test.stack.newContext()
            let ann = try Person.create(in: context, email: "a")
            _ = try ann.snapshot.nick
        }
        #expect(Self.output(result).contains("A snapshot of Person has its stored properties."))
    }

    @Test func `reading a computed relationship of a snapshot stops the process`() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let test = try TestStack(for: Person.self)
            let context = test.stack.newContext()
            let ann = try Person.create(in: context, email: "a")
            _ = try ann.snapshot.club
        }
        #expect(Self.output(result).contains("A snapshot of Person has its stored properties."))
    }

    @Test(arguments: [-1, 1])
    func `an integer read at an index outside a RowBatch row stops the process`(slot: Int) async {
        await #expect(processExitsWith: .failure) { [slot] in
            let batch = RowBatch(width: 1)
            batch.append(values: [.integer(1)])
            batch.withRow(0) { _ = $0.integer(at: slot) }
        }
    }

    @Test(arguments: 0..<6)
    func `every read at an index outside a RowBatch row stops the process`(reader: Int) async {
        await #expect(processExitsWith: .failure) { [reader] in
            let batch = RowBatch(width: 1)
            batch.append(values: [.null])
            batch.withRow(0) { cells in
                switch reader {
                case 0: _ = cells.isNull(at: 1)
                case 1: _ = cells.real(at: 1)
                case 2: _ = cells.text(at: 1)
                case 3: cells.withBytes(at: 1) { _ in }
                case 4: _ = cells.key(at: 1)
                default: cells.reportUnexpectedValue(at: 1)
                }
            }
        }
    }

    @Test(arguments: 0..<7)
    func `appending too many values to a row of a RowBatch stops the process`(writer: Int) async {
        await #expect(processExitsWith: .failure) { [writer] in
            let batch = RowBatch(width: 1)
            batch.append { cells in
                cells.appendNull()
                switch writer {
                case 0: cells.appendNull()
                case 1: cells.append(integer: 1)
                case 2: cells.append(key: 1)
                case 3: cells.append(real: 1)
                case 4: cells.append(text: "1")
                case 5: [UInt8]([1]).withUnsafeBytes { cells.append(bytes: $0) }
                default: cells.append(.integer(1))
                }
            }
        }
    }

    @Test func `appending too few values to a row of a RowBatch stops the process`() async {
        await #expect(processExitsWith: .failure) {
            RowBatch(width: 2).append { $0.appendNull() }
        }
    }
}

extension Person {
    /// A computed property, which no snapshot has. Its setter hides that from the compiler.
    fileprivate var nick: String {
        get { name }
        set { name = newValue }
    }

    fileprivate var club: Team? {
        get { team }
        set { team = newValue }
    }
}
