import FoundationEssentials
import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// A value that can refuse to be encoded.
struct Fickle: CodableAttributeValue {
    var isSecret = false

    static let placeholder = Fickle()

    func encode(to encoder: any Encoder) throws {
        if isSecret {
            throw EncodingError.invalidValue(
                self, EncodingError.Context(codingPath: [], debugDescription: "secret"))
        }
        var container = encoder.singleValueContainer()
        try container.encode(false)
    }

    init(isSecret: Bool = false) { self.isSecret = isSecret }

    init(from decoder: any Decoder) throws {
        isSecret = try decoder.singleValueContainer().decode(Bool.self)
    }
}

@Entity final class Bramble: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var shape: Shape?
    @Attribute var kept: Shape = Shape.placeholder
    @Attribute var shapes: [Shape] = []
    @Attribute var byName: [String: Shape]?
    @Attribute var fickle: Fickle?
}

/// Values that cannot be stored, which must be refused and never lost.
@Suite("Codable values that cannot be stored") struct CodableDepthTests {
    private let stack: ContextStack
    private let context: ManagedObjectContext

    init() throws {
        stack = try TestStack(for: Bramble.self).stack
        context = stack.newContext()
    }

    /// - Parameter depth: the number of nested arrays in the text.
    private static func shape(_ depth: Int) -> Shape {
        var shape = Shape.list([])
        for _ in 1..<depth { shape = .list([shape]) }
        return shape
    }

    private static let edits: [(property: String, depth: Int)] = [
        ("shape", 101), ("kept", 101), ("shapes", 100), ("byName", 100), ("shape", 150),
    ]

    private static func set(_ property: String, of bramble: Bramble, _ shape: Shape) {
        switch property {
        case "shape": bramble.shape = shape
        case "kept": bramble.kept = shape
        case "shapes": bramble.shapes = [shape]
        default: bramble.byName = ["a": shape]
        }
    }

    private func failures(_ body: () throws -> Void) throws -> [ValidationFailure] {
        let error = #expect(throws: RecordStackError.self, performing: body)
        #expect(error?.code == .validation)
        return error?.failures ?? []
    }

    @Test(arguments: edits) func `a save refuses a Codable value nested more than 100 levels deep`(
        property: String, depth: Int
    ) throws {
        let bramble = try Bramble.create(in: context, id: 1)
        try context.saveAndWait()
        for isNew in [false, true] {
            let edited = isNew ? try Bramble.create(in: context, id: 2) : bramble
            Self.set(property, of: edited, Self.shape(depth))
            let found = try failures { try context.saveAndWait() }
            #expect(found.map(\.property) == [property])
            #expect(found.first?.rule == .depth(100))
            #expect(found.first?.message.contains("at most 100 arrays and objects") == true)
            #expect(found.first.map { $0.description.utf8.count < 500 } == true)
            #expect(try failures { try context.validate() }.count == 1)
            #expect(try edited.validationFailures().map(\.property) == [property])
            Self.set(property, of: edited, Self.shape(99))
            try context.saveAndWait()
        }
        #expect(try Bramble.count(in: stack.newContext()) == 2)
    }

    @Test func `a save stores a Codable value nested 100 levels deep`() throws {
        let bramble = try Bramble.create(in: context, id: 1)
        bramble.shape = Self.shape(100)
        bramble.byName = ["a": Self.shape(99)]
        try context.saveAndWait()
        let stored = try #require(try Bramble.findFirst(in: stack.newContext()))
        #expect(stored.shape == Self.shape(100) && stored.byName?["a"] == Self.shape(99))
    }

    @Test func `a push refuses a Codable value nested more than 100 levels deep`() throws {
        let child = context.newChild()
        let bramble = try Bramble.create(in: child, id: 1)
        bramble.shape = Self.shape(101)
        #expect(try failures { try child.push() }.map(\.property) == ["shape"])
        #expect(try Bramble.count(in: context) == 0)
        bramble.shape = nil
        try child.push()
        #expect(try Bramble.count(in: context) == 1)
    }

    @Test func `a save refuses a Codable value whose encoding throws`() throws {
        let bramble = try Bramble.create(in: context, id: 1)
        bramble.fickle = Fickle(isSecret: true)
        let found = try failures { try context.saveAndWait() }
        #expect(found.map(\.property) == ["fickle"] && found.first?.rule == .encodable)
        bramble.fickle = Fickle()
        try context.saveAndWait()
        #expect(try Bramble.findFirst(in: stack.newContext())?.fickle == Fickle())
    }

    @Test func `validationFailures checks a Codable value before it is assigned`() throws {
        #expect(
            try Bramble.validationFailures(\.shape, Self.shape(101)).map(\.rule) == [.depth(100)])
        #expect(try Bramble.validationFailures(\.shape, Self.shape(100)).isEmpty)
        #expect(try Bramble.validationFailures(\.fickle, Fickle(isSecret: true)).count == 1)
        // Limits that hold for every value are not declared rules.
        #expect(Bramble.entityDescription.attributes.allSatisfy { $0.rules.isEmpty })
    }

    @Test func `an export throws misuse for a Codable value that cannot be stored`() throws {
        let bramble = try Bramble.create(in: context, id: 1)
        bramble.shape = Self.shape(101)
        let deep = #expect(throws: RecordStackError.self) { _ = try bramble.exportJSON() }
        #expect(deep?.code == .misuse && deep?.property == "shape")
        bramble.shape = nil
        bramble.fickle = Fickle(isSecret: true)
        let secret = #expect(throws: RecordStackError.self) { _ = try bramble.exportJSON() }
        #expect(secret?.code == .misuse && secret?.property == "fickle")
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test(arguments: ["shape", "kept", "shapes", "byName"], [101, 300, 500])
    func `an import reports a Codable value nested more than 100 levels deep`(
        property: String, depth: Int
    ) throws {
        // A Shape accepts the text itself as its value.
        let takesText = property == "shape" || property == "kept"
        let quoted = takesText ? [] : ["\"\(Self.nested(depth))\""]
        for value in [Self.nested(depth)] + quoted {
            let text = #"[{"id": 1, "\#(property)": \#(value)}]"#
            let report = try Bramble.importJSON(Data(text.utf8), in: context)
            #expect(report.problems.map(\.property) == [property])
            let message = report.problems.first?.message ?? ""
            #expect(message.contains("too deep") && message.contains("100"), "\(message)")
        }
    }

    @Test func `an import accepts a Codable value nested 100 levels deep`() throws {
        let text = #"[{"id": 1, "shape": \#(Self.nested(100))}]"#
        #expect(try Bramble.importJSON(Data(text.utf8), in: context).problems.isEmpty)
        try context.saveAndWait()
        let stored = try #require(try Bramble.findFirst(in: stack.newContext()))
        #expect(stored.shape == Self.shape(100))
    }

    // MARK: Sources that are values

    private static func dictionary(_ depth: Int) -> [String: Any] {
        var value: Any = 1
        for level in 1..<depth { value = level % 2 == 0 ? [value] as Any : ["a": value] as Any }
        return ["id": 1, "other": value]
    }

    private static func value(_ depth: Int) -> ImportValue {
        var value: ImportValue = 1
        for level in 1..<depth { value = level % 2 == 0 ? [value] : ["a": value] }
        return ["id": 1, "other": value]
    }

    private struct Row: Encodable {
        var id = 1
        let other: Shape
    }

    private static func isRefused(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch {
            let error = error as? RecordStackError
            return error?.code == .importFailed && error?.message.contains("512") == true
        }
    }

    @Test(arguments: [512, 513, 1_000])
    func `an import accepts values nested 512 levels deep, and refuses deeper`(depth: Int) throws {
        let stack = stack
        let refused = onSmallStack {
            let context = stack.newContext()
            return [
                Self.isRefused {
                    try Bramble.importDictionaries([Self.dictionary(depth)], in: context)
                },
                Self.isRefused {
                    let row: [String: Any] = ["id": 1, "a": Self.value(depth - 1)]
                    try Bramble.importDictionaries([row], in: context)
                },
                Self.isRefused { try Bramble.importValues([Self.value(depth)], in: context) },
                Self.isRefused {
                    try stack.importJSONAndWait(
                        .values([Self.value(depth)]), into: Bramble.self, options: .dry)
                },
            ]
        }
        #expect(refused.allSatisfy { $0 == (depth > 512) }, "\(refused)")
    }

    @Test func `an import refuses an Encodable row nested 600 levels deep`() throws {
        for (depth, isRefused) in [(50, false), (600, true)] {
            let row = Row(other: Self.shape(depth))
            let found = Self.isRefused { try Bramble.importEncodable([row], in: context) }
            #expect(found == isRefused)
        }
    }
}

extension ImportOptions {
    fileprivate static var dry: ImportOptions {
        var options = ImportOptions()
        options.isDryRun = true
        return options
    }
}
