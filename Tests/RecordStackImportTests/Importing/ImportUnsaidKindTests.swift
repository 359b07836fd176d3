import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// An abstract entity, so a row must declare the kind of its object.
@Entity(.abstract) class Fare: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var amount: Int
    @Relationship(.notImported) var rider: FareRider?
}

@Entity final class CardFare: Fare {
    @Attribute var network: String
}

@Entity final class CashFare: Fare {
    @Attribute var till: String = ""
}

extension Fare: Importable {
    static var importDiscriminator: ImportDiscriminator? {
        ImportDiscriminator("kind", ["card": CardFare.self, "cash": CashFare.self])
    }
}

@Entity final class FareRider: ManagedObject {
    @Attribute(.unique) var id: Int
    @Relationship(.importing(members: .replace), inverse: \Fare.rider)
    var fares: OrderedToMany<Fare>
    @Relationship var favourite: Fare?
}

@Entity final class FareReceipt: ManagedObject {
    @Attribute(.unique) var number: Int
    @Relationship(.required) var fare: Fare?
}

/// Nested objects that name a stored object without declaring its kind.
@Suite("Nested objects without a kind")
struct ImportUnsaidKindTests {
    private let stack: ContextStack
    private let context: ManagedObjectContext

    private static let fares =
        #"[{"id":6,"kind":"cash","amount":1},{"id":7,"kind":"card","amount":2,"network":"v"}]"#

    init() throws {
        stack = try TestStack(
            for: Fare.self, CardFare.self, CashFare.self, FareRider.self, FareReceipt.self
        ).stack
        context = stack.newContext()
    }

    private func load<Entity: ManagedObject>(
        _ type: Entity.Type, _ text: String
    ) throws -> ImportReport {
        let report = try context.importJSON(Data(text.utf8), into: type)
        try context.saveAndWait()
        return report
    }

    private func rider() throws -> FareRider {
        try #require(try FareRider.findFirst(by: \.id, 1, in: context))
    }

    private static let keys = [
        "6", #""6""#, #"{"id":6}"#, #"{"id":"6"}"#, #"{"id":6,"kind":"cash"}"#,
        #"{"id":6,"kind":null}"#,
    ]

    @Test(arguments: keys, [true, false])
    func `an identity without a discriminator finds an object of any subentity`(
        key: String, isStored: Bool
    ) throws {
        if isStored { #expect(try load(Fare.self, Self.fares).inserted == 2) }
        let text = #"[{"id":1,"fares":[{"id":7},\#(key)],"favourite":\#(key)}]"#
        if isStored {
            let report = try load(FareRider.self, text)
            #expect(report.problems.isEmpty && report.inserted == 1, "\(report)")
            #expect(try rider().fares.map(\.id) == [7, 6] && rider().favourite?.id == 6)
            let again = try load(FareRider.self, text)
            #expect(again.problems.isEmpty && again.unchanged == 1, "\(again)")
        } else {
            // No row brings the objects.
            #expect(try !load(FareRider.self, text).problems.isEmpty)
            #expect(try load(Fare.self, Self.fares).inserted == 2)
            #expect(try load(FareRider.self, text).problems.isEmpty)
        }
        #expect(try rider().fares.map(\.id) == [7, 6] && rider().favourite?.id == 6)
        let fares = try Fare.find(sortedBy: .ascending(\.id), in: context)
        #expect(fares.map(\.amount) == [1, 2] && fares[0] is CashFare)
    }

    @Test(arguments: keys)
    func `an identity without a discriminator can set a required relationship`(key: String) throws {
        #expect(try load(Fare.self, Self.fares).inserted == 2)
        let text = #"[{"number":1,"fare":\#(key)}]"#
        #expect(try load(FareReceipt.self, text).inserted == 1)
        let again = try load(FareReceipt.self, text)
        #expect(again.unchanged == 1 && again.problems.isEmpty)
        #expect(try FareReceipt.findFirst(in: context)?.fare?.id == 6)
    }

    @Test func `a nested object without a discriminator is linked but not changed`() throws {
        #expect(try load(Fare.self, Self.fares).inserted == 2)
        let text = #"[{"id":1,"fares":[{"id":6,"amount":9}],"favourite":{"id":7,"amount":8}}]"#
        for round in 0..<2 {
            let report = try load(FareRider.self, text)
            #expect(report.problems.map(\.path).sorted() == ["fares.0", "favourite"])
            #expect(report.problems.allSatisfy { $0.message.contains("kind is missing") })
            #expect(report.problems.allSatisfy { $0.message.contains("reference alone was taken") })
            #expect(round == 0 ? report.inserted == 1 : report.unchanged == 1)
        }
        #expect(try rider().fares.map(\.id) == [6] && rider().favourite?.id == 7)
        #expect(try Fare.find(in: context).map(\.amount).sorted() == [1, 2])
    }

    @Test func `an import skips a nested object with an unknown discriminator`() throws {
        #expect(try load(Fare.self, Self.fares).inserted == 2)
        let report = try load(FareRider.self, #"[{"id":1,"fares":[{"id":6,"kind":"barter"}]}]"#)
        #expect(report.problems.map(\.path) == ["fares.0"])
        #expect(try rider().fares.isEmpty)
    }

    @Test func `an import of 1,499 members without discriminators reports no problem`() throws {
        let fares = (2...1_500).map { id in
            id % 2 == 0
                ? #"{"id":\#(id),"kind":"card","amount":1,"network":"v"}"#
                : #"{"id":\#(id),"kind":"cash","amount":1}"#
        }
        let members = (2...1_500).reversed().map { $0 % 2 == 0 ? "\($0)" : #"{"id":\#($0)}"# }
        let riders = #"[{"id":1,"fares":[\#(members.joined(separator: ","))]}]"#
        let text = Data("[\(fares.joined(separator: ","))]".utf8)
        _ = try stack.importJSONAndWait(.data(text), into: Fare.self)
        for round in 0..<2 {
            let report = try load(FareRider.self, riders)
            #expect(report.problems.isEmpty)
            #expect(round == 0 ? report.inserted == 1 : report.unchanged == 1)
            #expect(try rider().fares.count == 1_499)
        }
    }
}
