import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// Codable types, which need one conformance to be attributes.
@Suite("Codable attributes") struct CodablePlaceholderTests {
    @Test func `a Codable type can be an attribute by adopting CodableAttributeValue`() async throws
    {
        let test = try TestStack(for: Manor.self)
        try await test.stack.saveWithBlock { context in
            let plot = Manor.Plot(street: "a", number: 3, corner: .init(x: 1, y: 2), kind: .rented)
            try Manor.create(in: context, plot: plot)
        }
        let house = try Manor.one(in: test.stack.newContext())
        #expect(house.plot.number == 3 && house.plot.corner.y == 2 && house.plot.kind == .rented)
    }

    @Test func `the placeholder of a Codable type is built from empty values`() {
        let plot = Manor.Plot.placeholder
        #expect(plot.street.isEmpty && plot.number == 0 && plot.note == nil && !plot.isSold)
        #expect(plot.tags.isEmpty && plot.corner == .init(x: 0, y: 0) && plot.kind == .owned)
        #expect(plot.built == .placeholder && plot.link == .placeholder)
        #expect(Manor.Wrapped.placeholder == Manor.Wrapped(value: 0))
    }

    @Test func `a Codable type's declared placeholder replaces the built one`() {
        #expect(Manor.Shape.placeholder == .point)
    }

    @Test func `reading a Codable placeholder that cannot be built stops the process`() async throws
    {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = Manor.Unsaid.placeholder }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("static let placeholder = Unsaid(…)"))
    }
}

@Entity final class Manor: ManagedObject {
    struct Corner: Codable, Hashable { var x: Double, y: Float }

    enum Kind: String, Codable, CaseIterable { case owned, rented }

    struct Plot: CodableAttributeValue {
        var street: String
        var number: Int
        var note: String?
        var isSold = false
        var tags: [String: [Int]] = [:]
        var corner: Corner
        var kind: Kind
        var built = Date.placeholder
        var link = URL.placeholder
    }

    struct Wrapped: CodableAttributeValue {
        var value: Int

        init(value: Int) { self.value = value }
        init(from decoder: any Decoder) throws {
            value = try decoder.singleValueContainer().decode(Int.self)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    enum Shape: CodableAttributeValue {
        case point
        case circle(radius: Double)

        static let placeholder = Shape.point
    }

    enum Unsaid: CodableAttributeValue {
        case square(side: Double)
    }

    var plot: Plot
}
