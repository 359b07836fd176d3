import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// Snapshots outside of the process that took them.
@Suite("Snapshots as values") struct SnapshotTests {
    private func coders() -> (JSONEncoder, JSONDecoder) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (encoder, JSONDecoder())
    }

    @Test
    func `an encoded snapshot decodes to an equal snapshot, whatever its values`() async throws {
        let test = try TestStack(for: Everything.self)
        let context = test.stack.newContext()
        for url in [URL(string: "https://example.org/a%20b?q=1"), nil] {
            try Everything.create(
                in: context, flag: true, number: .max, wide: .min, real: 0.1, text: "a\u{0}b é",
                date: Date(timeIntervalSinceReferenceDate: 0.123456789), day: .distantPast,
                data: Data([0, 255]), uuid: UUID(), url: url)
        }
        try await context.save()
        let (encoder, decoder) = coders()
        for snapshot in try Everything.snapshots(in: context) {
            let data = try encoder.encode(snapshot)
            #expect(try decoder.decode(Snapshot<Everything>.self, from: data) == snapshot)
        }
    }

    @Test func `a snapshot's subscript reads a property with a private setter`() throws {
        let test = try TestStack(for: Ledger.self, Person.self)
        let context = test.stack.newContext()
        let ann = try Person.create(in: context, email: "ann")
        let ledger = try Ledger.opened(at: 7, by: ann, in: context)
        let snapshot = try ledger.snapshot
        #expect(try snapshot[\.total] == 7)
        #expect(try snapshot[\.owner] == ann.objectID)
    }

    @Test func `reading a computed property of a snapshot throws with advice`() throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let snapshot = try Person.create(in: context, email: "ann").snapshot
        for read in [
            { _ = try snapshot[\.shout] }, { _ = try snapshot[\.favourite] },
        ] as [() throws -> Void] {
            let error = #expect(throws: RecordStackError.self) { try read() }
            #expect(error?.code == .misuse)
            #expect(error?.message.contains("extension Snapshot where Entity == Person") == true)
        }
        #expect(snapshot.whisper == "ann…")
    }

    @Test func `a snapshot is encoded as JSON under its property names`() async throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let team = try Team.create(in: context, title: "A")
        let ann = try Person.create(in: context, email: "ann", name: "Ann", team: team)
        try await context.save()
        let (encoder, decoder) = coders()
        let text = String(decoding: try encoder.encode(ann.snapshot), as: UTF8.self)
        #expect(
            text == """
                {"objectID":"\(ann.objectID)","values":{"age":null,"email":"ann",\
                "isActive":true,"name":"Ann","team":"\(team.objectID)"}}
                """)
        let read = try decoder.decode(Snapshot<Person>.self, from: Data(text.utf8))
        #expect(read.team == team.objectID && read.age == nil && read.isActive)
    }

    @Test func `decoding a subentity's snapshot throws if the decoder has no model`() async throws {
        let test = try TestStack(for: Dog.self)
        let context = test.stack.newContext()
        try Dog.create(in: context, breed: "Pug").name = "Rex"
        try await context.save()
        let (encoder, decoder) = coders()
        let snapshot = try #require(try Animal.snapshots(in: context).first)
        let data = try encoder.encode(snapshot)
        let error = #expect(throws: DecodingError.self) {
            try decoder.decode(Snapshot<Animal>.self, from: data)
        }
        #expect("\(try #require(error))".contains("managedObjectModel"))
        decoder.userInfo[.managedObjectModel] = test.stack.model
        let animal = try decoder.decode(Snapshot<Animal>.self, from: data)
        #expect(animal == snapshot && animal.storedValues["breed"] == .text("Pug"))
        #expect(try decoder.decode(Snapshot<Dog>.self, from: data).breed == "Pug")
    }

    @Test(arguments: [
        #"{"email": 5, "name": "x", "isActive": true}"#, #"{"name": "x", "isActive": true}"#,
        #"{"email": null, "name": "x", "isActive": true}"#,
    ])
    func `decoding a snapshot with a value that does not fit throws`(values: String) throws {
        let id = "recordstack://6F1F2B9E-3F0A-4B7E-9A51-0D2F5F6C7A10/Person/1"
        let text = #"{"objectID": "\#(id)", "values": \#(values)}"#
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Snapshot<Person>.self, from: Data(text.utf8))
        }
    }

    @Test func `objects and snapshots print their ID, state and values`() async throws {
        let test = try TestStack(for: Person.self, Talk.self)
        let context = test.stack.newContext()
        let team = try Team.create(in: context, title: "A")
        let ann = try Person.create(in: context, email: "ann \"1\"", age: 7, team: team)
        let values = #"(email: "ann \"1\"", name: "", age: 7, isActive: true, team: Team/1)"#
        #expect("\(ann)" == "Person/1 pending \(values)")
        try await context.save()
        let snapshot = try ann.snapshot
        #expect("\(ann)" == "Person/1 \(values)" && "\(snapshot)" == "Person/1 \(values)")
        try context.refresh(ann, mergingChanges: false)
        #expect("\(ann)" == "Person/1 (fault)" && ann.isFault)
        ann.team = nil
        ann.name = String(repeating: "x", count: 1_000)
        try team.delete()
        #expect("\(ann)".contains("team: nil") && "\(ann)".count < 250)
        #expect("\(team)" == #"Team/1 deleted (title: "A")"#)
        let talk = try Talk.create(in: context, description: "an attribute")
        #expect(talk.description == "an attribute")
        #expect(try talk.snapshot.description == "an attribute")
        #expect("\(talk)" == #"Talk/1 pending (description: "an attribute")"#)
    }
}

@Entity final class Talk: ManagedObject {
    @Attribute var description: String
}

@Entity final class Ledger: ManagedObject {
    private(set) var total: Int
    @Relationship private(set) var owner: Person?

    static func opened(
        at total: Int, by owner: Person, in context: ManagedObjectContext
    ) throws -> Ledger {
        let ledger = try create(in: context, total: total)
        ledger.owner = owner
        return ledger
    }
}

extension Person {
    /// A computed property, which no snapshot has.
    var shout: String { name.uppercased() }
    fileprivate var favourite: Team? { team }
}

extension Snapshot where Entity == Person {
    fileprivate var whisper: String { self.email + "…" }
}
