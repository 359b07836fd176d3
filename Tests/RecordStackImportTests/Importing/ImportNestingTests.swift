import Foundation
import RecordStack
import RecordStackTesting
import Testing

@Entity final class Voyage: ManagedObject {
    @Attribute(.unique) var number: Int
    @Relationship var legs: ToMany<VoyageLeg>
    @Relationship(.importing(members: .replaceAndDelete)) var papers: OrderedToMany<VoyagePaper>
    @Relationship(inverse: \Stowaway.voyages) var stowaways: ToMany<Stowaway>
}

/// An entity with an identity of its voyage and a number.
@Entity(.unique(\.voyage, \.position), identity: \.voyage, \.position)
final class VoyageLeg: ManagedObject {
    @Attribute var position: Int
    @Attribute var port: String
    @Relationship(.required, inverse: \Voyage.legs) var voyage: Voyage?
    @Relationship(deleteRule: .cascade) var stops: ToMany<VoyageStop>
}

/// An entity with an identity of its leg, which no source names.
@Entity(.unique(\.leg, \.hour), identity: \.leg, \.hour)
final class VoyageStop: ManagedObject {
    @Attribute var hour: Int
    @Attribute var note: String?
    @Relationship(.required, .notImported, inverse: \VoyageLeg.stops) var leg: VoyageLeg?
}

@Entity final class VoyagePaper: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var pages: Int = 1
    @Relationship(.required, inverse: \Voyage.papers) var voyage: Voyage?
}

@Entity final class Stowaway: ManagedObject {
    @Attribute(.unique) var alias: String
    @Relationship var voyages: ToMany<Voyage>
}

/// Nested objects, whose identity includes the enclosing object.
@Suite("Identity of nested objects") struct ImportNestingTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Voyage.self)
        context = test.stack.newContext()
    }

    private func load(
        _ text: String, in other: ManagedObjectContext? = nil, options: ImportOptions = .patch
    ) throws -> ImportReport {
        try Voyage.importJSON(Data(text.utf8), in: other ?? context, options: options)
    }

    private static let voyages = #"""
        [{"number": 1, "legs": [
            {"position": 1, "port": "Oban", "stops": [{"hour": 8}, {"hour": 9, "note": "x"}]},
            {"position": 2, "port": "Mull", "stops": [{"hour": 8}]}]},
         {"number": 2, "legs": [{"position": 1, "port": "Bute", "voyage": null, "stops": [{"hour": 8}]}]}]
        """#

    @Test func `an imported nested object's identity can include its parent object`() throws {
        #expect(try load(Self.voyages).problems.isEmpty)
        try context.saveAndWait()
        let fresh = test.stack.newContext()
        // One lookup for each of the three entities, and none for single rows.
        let again = try test.expectStatements(3) { try load(Self.voyages, in: fresh) }
        #expect(again.unchanged == 2 && again.problems.isEmpty)
        #expect(!fresh.hasChanges)
        #expect(try VoyageLeg.count(in: fresh) == 3)
        #expect(try VoyageStop.count(in: fresh) == 4)
    }

    @Test func `an import creates a nested object that occurs twice only once`() throws {
        let report = try load(
            #"{"number": 1, "legs": [{"position": 1, "port": "a"}, {"position": 1, "port": "b"}]}"#)
        #expect(report.inserted == 1 && report.problems.isEmpty)
        #expect(try VoyageLeg.find(in: context).map(\.port) == ["b"])
        try context.saveAndWait()
    }

    @Test func `an import row that adds a nested object counts as updated`() throws {
        #expect(try load(Self.voyages).inserted == 2)
        try context.saveAndWait()
        let report = try load(
            #"[{"number": 1, "legs": [{"position": 3, "port": "Iona"}]}, {"number": 2, "legs": []}]"#
        )
        #expect(report.updated == 1 && report.unchanged == 1)
        let first = try #require(try Voyage.findFirst(by: \.number, 1, in: context))
        #expect(first.legs.map(\.position).sorted() == [1, 2, 3])
    }

    @Test func `nested objects can be imported into an existing object`() throws {
        let voyage = try Voyage.create(in: context, number: 5)
        let text =
            #"{"number": 5, "legs": [{"position": 1, "port": "a"}, {"position": 2, "port": "b"}]}"#
        for _ in 0..<2 { _ = try voyage.importJSON(Data(text.utf8)) }
        #expect(voyage.legs.count == 2)
        try context.saveAndWait()
        let report = try voyage.importJSON(Data(text.utf8))
        #expect(report.unchanged == 1 && !context.hasChanges)
    }

    @Test func `an import creates an object from a key if only the key is required`() throws {
        let report = try load(#"{"number": 1, "papers": [3, {"id": 1}, 2]}"#)
        #expect(report.problems.isEmpty)
        try context.saveAndWait()
        let fresh = test.stack.newContext()
        let voyage = try #require(try Voyage.find(in: fresh).first)
        #expect(voyage.papers.map(\.id) == [3, 1, 2])
        let again = try load(#"{"number": 1, "papers": [2, 3]}"#)
        #expect(again.updated == 1)
        #expect(try VoyagePaper.find(sortedBy: .ascending(\.id), in: context).map(\.id) == [2, 3])
    }

    @Test func `an import with replace keeps many-to-many members of several owners`() throws {
        let text = #"""
            [{"number": 1, "stowaways": [{"alias": "a"}, {"alias": "b"}]},
             {"number": 2, "stowaways": [{"alias": "a"}]}]
            """#
        for round in 0..<2 {
            let report = try load(text, options: .replace)
            #expect(report.problems.isEmpty && report.unchanged == (round == 0 ? 0 : 2))
            let found = try Stowaway.find(sortedBy: .ascending(\.alias), in: context)
            #expect(found.map { $0.voyages.map(\.number).sorted() } == [[1, 2], [1]])
            try context.saveAndWait()
        }
    }
}
