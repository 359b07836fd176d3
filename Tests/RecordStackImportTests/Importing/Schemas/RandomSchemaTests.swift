import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Random schemas, payloads and sources, compared with a plain implementation of the rules.
@Suite("Imports of random schemas")
struct RandomSchemaTests {
    @Test(arguments: Seeded.lanes)
    func `a random schema's import gives the objects that the test computes`(lane: Int) throws {
        var seeds = Seeded.fromEnvironment(lane: lane)
        let seed = seeds.seed
        print("RandomSchemaTests, seed \(seed)")
        var counts: [String: Int] = [:]
        let rounds = Seeded.laneRounds(100, full: 1_000)
        for round in 0..<rounds {
            let schema = SketchSchema(&seeds)
            var part = Seeded(seed: seeds.next())
            // Each round has its own type.
            let tag = UInt64(lane * 4_096 + round)
            do {
                try Self.withTypes(schema, tag) { try $0.run(schema, &part, &counts) }
            } catch {
                Issue.record("seed \(seed), round \(round): \(error)\n\(schema)")
                return
            }
        }
        print("RandomSchemaTests, seed \(seed): \(counts.sorted { $0.key < $1.key })")
        guard rounds >= 20 else { return }
        #expect(counts["exported", default: 0] > rounds / 3, "seed \(seed)")
        #expect(counts["skipped", default: 0] > 0 && counts["objects", default: 0] > rounds)
    }

    /// Calls a body with the type of a schema's entity.
    private static func withTypes(
        _ schema: SketchSchema, _ tag: UInt64, _ body: (any SketchRun.Type) throws -> Void
    ) throws {
        func first<A: AttributeValue>(_ a: A.Type) throws { try second(a, schema.b.kind.type) }
        func second<A: AttributeValue, B: AttributeValue>(_ a: A.Type, _ b: B.Type) throws {
            try tagged(a, b, End.self, tag)
        }
        func tagged<A: AttributeValue, B: AttributeValue, Tag: Sendable>(
            _ a: A.Type, _ b: B.Type, _ type: Tag.Type, _ tag: UInt64
        ) throws {
            if tag == 0 { return try body(Sketch<A, B, Tag>.self) }
            if tag & 1 == 0 { return try tagged(a, b, Zero<Tag>.self, tag >> 1) }
            try tagged(a, b, One<Tag>.self, tag >> 1)
        }
        func open(_ type: any AttributeValue.Type) throws { try first(type) }
        try open(schema.a.kind.type)
    }
}

private enum End: Sendable {}
private enum Zero<Tag: Sendable>: Sendable {}
private enum One<Tag: Sendable>: Sendable {}

private struct Difference: Error, CustomStringConvertible {
    let description: String
}

/// One round of the test.
private protocol SketchRun {
    static func run(
        _ schema: SketchSchema, _ seeds: inout Seeded, _ counts: inout [String: Int]
    ) throws
}

extension Sketch: SketchRun {
    static func run(
        _ schema: SketchSchema, _ seeds: inout Seeded, _ counts: inout [String: Int]
    ) throws {
        declare(schema)
        let stack = try TestStack(for: Sketch.self).stack
        var model = SketchModel(schema)
        for _ in 0..<2 {
            let (rows, isPlain) = makeRows(schema, &seeds)
            let values = rows.map { $0.value(schema) }
            let source = SketchSource.allCases.randomElement(using: &seeds)!
            model.apply(rows)
            let text = values.map { $0.text(&seeds) }
            let report = try source.load(Sketch.self, values, text, stack, &seeds)
            let what = "\(source): [\(text.joined(separator: ",\n"))]"
            try compare(model, stack, what)
            try check(report.skipped == model.skipped, "\(report)", what)
            let second = SketchSource.allCases.randomElement(using: &seeds)!
            model.apply(rows)
            let again = try second.load(Sketch.self, values, text, stack, &seeds)
            try compare(model, stack, "again, \(second): \(what)")
            if isPlain && schema.isSettled {
                try check(
                    again.inserted == 0 && again.updated == 0, "again, \(second): \(again)", what)
            }
            counts["skipped", default: 0] += report.skipped
            counts["\(source)", default: 0] += 1
        }
        counts["objects", default: 0] += model.objects.count
        try exportAgain(stack, &seeds, &counts)
    }

    /// - Returns: rows of different objects, and true if none is nested in another.
    private static func makeRows(
        _ schema: SketchSchema, _ seeds: inout Seeded
    ) -> (rows: [SketchRow], isPlain: Bool) {
        let parts = schema.isComposite ? ["x", "y", "z"] : [schema.partDefault]
        let all = (1...5).flatMap { id in parts.map { SketchKey(id: id, part: $0) } }
        let keys = all.shuffled(using: &seeds).prefix(1 + seeds.below(6))
        var isPlain = true
        func reference() -> SketchReference {
            let key = all.randomElement(using: &seeds)!
            if seeds.chance(15) {
                isPlain = false
                return .row(SketchRow(key, schema, isWhole: true, &seeds))
            }
            return .key(key, isBare: !schema.isComposite && seeds.chance(50))
        }
        let rows = keys.map { key in
            var row = SketchRow(key, schema, isWhole: false, &seeds)
            if seeds.chance(60) { row.parent = .some(seeds.chance(20) ? nil : reference()) }
            if seeds.chance(60) { row.list = (0..<seeds.below(5)).map { _ in reference() } }
            return row
        }
        return (rows, isPlain)
    }

    private static func check(_ isTrue: Bool, _ found: String, _ what: String) throws {
        if !isTrue { throw Difference(description: "\(found)\n\(what)") }
    }

    private static func key(of object: Sketch) -> SketchKey {
        SketchKey(id: object.id, part: object.part)
    }

    private static func compare(
        _ model: SketchModel, _ stack: ContextStack, _ what: String
    ) throws {
        let context = stack.newContext()
        var found: [SketchKey: SketchObject] = [:]
        for object in try Sketch.find(in: context) {
            found[key(of: object)] = SketchObject(
                values: (2...4).map { object.storedValue(at: $0) },
                parent: object.parent.map(key), list: object.list.map(key))
        }
        let keys = Set(found.keys).union(model.objects.keys).sorted()
        for key in keys where found[key] != model.objects[key] {
            throw Difference(
                description: "\(key) is \(found[key].map { "\($0)" } ?? "missing"), not "
                    + "\(model.objects[key].map { "\($0)" } ?? "there")\n\(what)")
        }
    }

    /// Checks that an export, an import and a second export give the same text, unless the export
    /// throws misuse.
    private static func exportAgain(
        _ stack: ContextStack, _ seeds: inout Seeded, _ counts: inout [String: Int]
    ) throws {
        let context = stack.newContext()
        var options = ExportOptions()
        options.depth = seeds.below(3)
        options.includesNulls = seeds.chance(50)
        options.isPretty = seeds.chance(20)
        let text: Data
        do {
            text = try Sketch.exportJSON(in: context, options: options)
        } catch let error as RecordStackError where error.code == .misuse {
            return counts["misuse", default: 0] += 1
        }
        let other = try TestStack(for: Sketch.self).stack
        var importing = ImportOptions()
        importing.batchSize = 1 + seeds.below(4)
        let report = try other.importJSONAndWait(
            .data(text), into: Sketch.self, options: importing)
        let again = try Sketch.exportJSON(in: other.newContext(), options: options)
        let (one, two) = (
            String(decoding: text, as: UTF8.self), String(decoding: again, as: UTF8.self)
        )
        try check(one == two && report.problems.isEmpty, two, "\(report)\n\(one)")
        counts["exported", default: 0] += 1
    }
}

/// The source of the rows, and the way in which they are saved.
private enum SketchSource: CaseIterable {
    case text, lines, savedText, savedLines, textAtOnce, dictionaries, serialized, encoded, values
    case savedDictionaries

    func load<Entity: ManagedObject & ManagedEntity>(
        _ type: Entity.Type, _ values: [ImportValue], _ text: [String], _ stack: ContextStack,
        _ seeds: inout Seeded
    ) throws -> ImportReport {
        var options = ImportOptions()
        options.batchSize = [1, 2, 1_000].randomElement(using: &seeds)!
        let array = Data("[\(text.joined(separator: ", "))]".utf8)
        let lines = Data(text.joined(separator: "\n").utf8)
        let rows = values.map { $0.native as? [String: Any] ?? [:] }
        switch self {
        case .lines, .savedLines: options.format = .ndjson
        default: break
        }
        switch self {
        case .savedText:
            return try stack.importJSONAndWait(.data(array), into: type, options: options)
        case .savedLines:
            return try stack.importJSONAndWait(.data(lines), into: type, options: options)
        case .textAtOnce:
            return try stack.importJSONAndWait(
                .data(array), into: type, commit: .once, options: options)
        case .savedDictionaries:
            return try stack.importJSONAndWait(.dictionaries(rows), into: type, options: options)
        default: break
        }
        let context = stack.newContext()
        defer { _ = context }
        let report: ImportReport
        switch self {
        case .lines: report = try type.importJSON(lines, in: context, options: options)
        case .dictionaries:
            report = try type.importDictionaries(rows, in: context, options: options)
        case .serialized:
            let read = try JSONSerialization.jsonObject(with: array) as? [[String: Any]]
            report = try type.importDictionaries(read ?? [], in: context, options: options)
        case .encoded:
            report = try type.importEncodable(
                values.map { EncodedValue(value: $0) }, in: context, options: options)
        case .values: report = try type.importValues(values, in: context, options: options)
        default: report = try type.importJSON(array, in: context, options: options)
        }
        try context.saveAndWait()
        return report
    }
}
