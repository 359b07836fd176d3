import RecordStack
import RecordStackTesting
import Testing

/// Enums, which need one conformance to be attributes.
@Suite("Enum attributes") struct EnumAttributeTests {
    @Test func `an enum can be an attribute by adopting EnumAttributeValue`() async throws {
        let test = try TestStack(for: Shipment.self)
        try await test.stack.saveWithBlock { context in
            try Shipment.create(in: context, state: .sent, weight: .heavy, last: .lost)
            try Shipment.create(in: context, state: .lost, weight: .light)
        }
        let context = test.stack.newContext()
        let sent = try Shipment.one(in: context) { $0.state == .sent }
        #expect(sent.weight == .heavy)
        #expect(sent.last == .lost)
        #expect(try Shipment.count(in: context) { $0.weight == .light && $0.last == nil } == 1)
    }

    @Test func `an enum's placeholder is its first case unless it declares one`() {
        #expect(Shipment.State.placeholder == .packed)
        #expect(Shipment.Weight.placeholder == .heavy)
    }
}

@Entity final class Shipment: ManagedObject {
    enum State: String, EnumAttributeValue { case packed, sent, lost }

    enum Weight: Int, EnumAttributeValue {
        case light, heavy

        static let placeholder = Weight.heavy
    }

    var state: State
    var weight: Weight
    var last: State?
}
