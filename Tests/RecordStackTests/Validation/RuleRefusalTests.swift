import Foundation
import RecordStack
import RecordStackModel
import Testing

/// Rules that make no sense. They are refused when the model is created, with advice.
///
/// The entity is described by hand, so the model finds the mistakes and not the macro.
@Suite("Refused rules") struct RuleRefusalTests {
    private func message(_ property: PropertyDescription) throws -> String {
        let entity = EntityDescription(
            name: "Unruly", type: Unruly.self, properties: [property])
        let error = #expect(throws: RecordStackError.self) {
            try ManagedObjectModel(entities: [entity])
        }
        #expect(error?.code == .misuse && error?.entity == "Unruly")
        #expect(error?.property == "it")
        return error?.message ?? ""
    }

    @Test func `a range rule with bounds of another type is refused`() throws {
        #expect(
            try message(.attribute(\Unruly.text, "it", .range(0...9)))
                == "Unruly.it is of type String, and the bounds of its .range are of type Int. Write "
                + ".length(…) for the number of its characters, or bounds that are text.")
        #expect(
            try message(.attribute(\Unruly.flag, "it", .range(0...1))).contains(
                "Write bounds of type Bool, or a rule of your own: "
                    + ".validated(\"…\") { (value: Bool) in … }."))
        #expect(
            try message(.attribute(\Unruly.date, "it", .range(0...))).contains(
                "bounds of type Date"))
        #expect(
            try message(.attribute(\Unruly.number, "it", .range("a"..."b"))).contains(
                "is of type Int, and the bounds of its .range are of type String"))
        #expect(
            try message(.attribute(\Unruly.number, "it", .range(Decimal(1)...))).contains(
                "Write bounds of type Int"))
    }

    @Test func `a length rule on a number, or with no possible length, is refused`() throws {
        #expect(
            try message(.attribute(\Unruly.number, "it", .length(1...)))
                == "Unruly.it is of type Int, and .length is of text and data. Write a rule of your own: "
                + ".validated(\"…\") { (value: Int) in … }.")
        for option in [AttributeOption.length(..<0), .length(...(-1)), .length(3..<3)] {
            #expect(
                try message(.attribute(\Unruly.text, "it", option))
                    == "Unruly.it has a .length that nothing can have. Write one like "
                    + ".length(1...100).")
        }
    }

    @Test func `a pattern rule that is invalid, or not on text, is refused`() throws {
        let text = try message(.attribute(\Unruly.text, "it", .pattern("(a")))
        #expect(text.hasPrefix("Unruly.it has a .pattern that is no regular expression: (a ("))
        #expect(text.contains("expected ')'") && text.hasSuffix("Correct it."))
        #expect(
            try message(.attribute(\Unruly.bytes, "it", .pattern("a"))).contains(
                "is of type Data, and .pattern is of text."))
    }

    @Test func `a choice rule with values of another type, or none, is refused`() throws {
        #expect(
            try message(.attribute(\Unruly.small, "it", .oneOf(1, 300)))
                == "Unruly.it is of type Int8, and 300 of its .oneOf is none. Write values of type Int8."
        )
        #expect(
            try message(.attribute(\Unruly.number, "it", .oneOf(1.5))).contains("1.5 of its .oneOf")
        )
        #expect(
            try message(.attribute(\Unruly.text, "it", .oneOf(1))).contains("1 of its .oneOf"))
        let none: AttributeOption = .oneOf(Int?.none)
        #expect(
            try message(.attribute(\Unruly.number, "it", none)).contains("is none"))
    }

    @Test func `a custom rule for values of another type is refused`() throws {
        #expect(
            try message(
                .attribute(
                    \Unruly.number, "it",
                    .validated("must be short") { (it: String) in it.count < 3 }))
                == "Unruly.it is of type Int, and its rule “must be short” is for values of type String. "
                + "Write { (value: Int) in … }.")
    }

    @Test func `a range rule with a custom range is refused for another number type`() throws {
        struct Odd: RangeExpression, Sendable {
            func contains(_ element: Int) -> Bool { !element.isMultiple(of: 2) }
            func relative<C: Collection>(to collection: C) -> Range<Int> where C.Index == Int {
                0..<0
            }
        }
        let entity = EntityDescription(
            name: "Unruly", type: Unruly.self,
            properties: [.attribute(\Unruly.number, "it", .range(Odd(), message: "must be odd"))])
        _ = try ManagedObjectModel(entities: [entity])
        let check = entity.attributes[0].checks[0]
        #expect(check.accepts(.integer(3)) && !check.accepts(.integer(4)))
        #expect(check.text == "must be odd")
        #expect(
            try message(.attribute(\Unruly.small, "it", .range(Odd()))).contains("of type Int8"))
    }

    @Test func `rules accept Optional types and ranges of other number types`() throws {
        let entity = EntityDescription(
            name: "Unruly", type: Unruly.self,
            properties: [
                .attribute(\Unruly.number, "a", .validated("x") { (it: Int?) in it != 3 }),
                .attribute(\Unruly.small, "b", .range(-1_000...1.5)),
                .attribute(\Unruly.date, "c", .range(...Date.distantFuture)),
                .attribute(
                    \Unruly.huge, "d", .range(...1e30), .oneOf(1, 2.0 as Double == 2 ? 2 : 3)),
                .attribute(\Unruly.huge2, "e", .range(1.8e19...)),
            ])
        _ = try ManagedObjectModel(entities: [entity])
        func accepts(_ place: Int, _ value: StoredValue) -> Bool {
            entity.attributes[place].checks.allSatisfy { $0.accepts(value) }
        }
        #expect(accepts(0, .integer(2)) && !accepts(0, .integer(3)))
        #expect(accepts(1, .integer(1)) && !accepts(1, .integer(2)))
        #expect(accepts(2, .real(0)))
        #expect(accepts(4, UInt64.max.storedValue) && !accepts(4, UInt64(1).storedValue))
        #expect(!accepts(4, UInt64(17_000_000_000_000_000_000).storedValue))
        #expect(
            entity.attributes[3].checks[0].accepts(UInt64.max.storedValue)
                && !entity.attributes[3].checks[1].accepts(.integer(4)))
    }
}

/// A class that lends its key paths, and is never created.
private final class Unruly: ManagedObject {
    var text: String { "" }
    var number: Int { 0 }
    var small: Int8 { 0 }
    var huge: UInt64 { 0 }
    var huge2: UInt64 { 0 }
    var flag: Bool { false }
    var date: Date { .distantPast }
    var bytes: Data { Data() }
}
