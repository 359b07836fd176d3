import Foundation
import RecordStack
import RecordStackTesting
import Testing

@Entity class Jetty: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String
    @Relationship(.imported(from: "parent"), inverse: \Jetty.children) var parent: Jetty?
    @Relationship(.importing(members: .replace)) var children: OrderedToMany<Jetty>
    @Relationship(.importing(members: .replaceAndDelete)) var visitors: ToMany<Jetty>
    @Relationship(inverse: \Anchor.jetty) var anchors: OrderedToMany<Anchor>
}

@Entity final class Quay: Jetty {
    @Attribute var length: Int
}

extension Jetty: Importable {
    static var importDiscriminator: ImportDiscriminator? {
        ImportDiscriminator("kind", ["quay": Quay.self])
    }
}

/// An entity with an identity of a place and a number, whose objects need more than these.
@Entity(.unique(\.harbour, \.number)) final class Anchor: ManagedObject {
    @Attribute var harbour: String
    @Attribute var number: Int
    @Attribute var weight: Int
    @Relationship var jetty: Jetty?
    @Relationship(inverse: \Anchor.before) var next: Anchor?
    @Relationship(.notImported) var before: ToMany<Anchor>
    @Relationship(.notImported) var shackles: ToMany<Shackle>
}

/// An entity with an identity of another object and a number.
@Entity(.unique(\.anchor, \.number), identity: \.anchor, \.number)
final class Shackle: ManagedObject {
    @Attribute var number: Int
    @Attribute var size: Int
    @Relationship(inverse: \Shackle.previous) var next: Shackle?
    @Relationship(.notImported) var previous: ToMany<Shackle>
    @Relationship(.required, inverse: \Anchor.shackles) var anchor: Anchor?
}

/// Nested objects that contain only a key, and whose rows come later.
@Suite("Nested keys completed by later rows")
struct ImportStubTests {
    enum Way: CaseIterable, Sendable {
        case context, batches, savedBatches, once
    }

    private func load<Entity: ManagedObject>(
        _ text: String, into type: Entity.Type, _ way: Way, _ stack: ContextStack
    ) throws -> ImportReport {
        var options = ImportOptions()
        options.batchSize = way == .context ? 1_000 : 1
        switch way {
        case .savedBatches:
            return try stack.importJSONAndWait(
                .data(Data(text.utf8)), into: type, options: options)
        case .once:
            return try stack.importJSONAndWait(
                .data(Data(text.utf8)), into: type, commit: .once, options: options)
        case .context, .batches:
            return try stack.saveWithBlockAndWait {
                try $0.importJSON(Data(text.utf8), into: type, options: options)
            }
        }
    }

    private func makeStack() throws -> ContextStack {
        try TestStack(for: Jetty.self, Quay.self, Anchor.self, Shackle.self).stack
    }

    @Test(arguments: Way.allCases)
    func `a nested object with only an identity is linked once its row arrives`(way: Way) throws {
        let stack = try makeStack()
        let text =
            #"[{"id": 1, "name": "a", "parent": {"id": 2}}, {"id": 2, "name": "b"}]"#
        let report = try load(text, into: Jetty.self, way, stack)
        #expect(report.problems.isEmpty && report.inserted == 2)
        let context = stack.newContext()
        let one = try #require(try Jetty.findFirst(by: \.id, 1, in: context))
        #expect(one.parent?.id == 2 && one.parent?.name == "b")
        let again = try load(text, into: Jetty.self, way, stack)
        #expect(again.unchanged == 2 && again.problems.isEmpty)
    }

    @Test(arguments: Way.allCases)
    func `nested identities in an array become members in the array's order`(way: Way) throws {
        let stack = try makeStack()
        let text = #"""
            [{"id": 1, "name": "a", "children": [{"id": 4}, {"id": 2, "name": "b"}, {"id": 3}, 5],
              "visitors": [{"id": 5}, {"id": 2}]},
             {"id": 3, "name": "c"}, {"id": 5, "name": "e"}, {"id": 4, "name": "d"}]
            """#
        let report = try load(text, into: Jetty.self, way, stack)
        #expect(report.problems.isEmpty && report.inserted == 4)
        let context = stack.newContext()
        let one = try #require(try Jetty.findFirst(by: \.id, 1, in: context))
        #expect(one.children.map(\.id) == [4, 2, 3, 5])
        #expect(one.visitors.map(\.id).sorted() == [2, 5])
    }

    @Test(arguments: Way.allCases)
    func `a nested identity is linked to a later row's object of a subentity`(way: Way) throws {
        let stack = try makeStack()
        let text = #"""
            [{"id": 1, "name": "a", "parent": {"id": 2}, "children": [{"id": 3, "kind": "quay"}]},
             {"id": 2, "name": "b", "kind": "quay", "length": 5},
             {"id": 3, "name": "c", "kind": "quay", "length": 6}]
            """#
        let report = try load(text, into: Jetty.self, way, stack)
        #expect(report.problems.isEmpty && report.inserted == 3)
        let context = stack.newContext()
        let one = try #require(try Jetty.findFirst(by: \.id, 1, in: context))
        #expect((one.parent as? Quay)?.length == 5)
        #expect((one.children.first as? Quay)?.length == 6)
    }

    @Test(arguments: Way.allCases)
    func `a nested identity of two attributes is linked to a later row's object`(way: Way) throws {
        let stack = try makeStack()
        let text = #"""
            [{"harbour": "x", "number": 1, "weight": 7, "next": {"harbour": "x", "number": 2}},
             {"harbour": "x", "number": 2, "weight": 8, "next": {"harbour": "y", "number": "2"}},
             {"harbour": "y", "number": 2, "weight": 9}]
            """#
        let report = try load(text, into: Anchor.self, way, stack)
        #expect(report.problems.isEmpty && report.inserted == 3)
        let context = stack.newContext()
        let one = try #require(try Anchor.find(in: context) { $0.weight == 7 }.first)
        #expect(one.next?.weight == 8 && one.next?.next?.weight == 9)
    }

    @Test(arguments: Way.allCases)
    func `a nested identity with a to-one is linked to a later row's object`(way: Way) throws {
        let stack = try makeStack()
        let text = #"""
            [{"anchor": {"harbour": "x", "number": 1, "weight": 7}, "number": 1, "size": 3,
              "next": {"anchor": {"harbour": "x", "number": 2}, "number": 4}},
             {"anchor": {"harbour": "x", "number": 2, "weight": 8}, "number": 4, "size": 5}]
            """#
        let report = try load(text, into: Shackle.self, way, stack)
        #expect(report.problems.isEmpty && report.inserted == 2)
        let context = stack.newContext()
        let one = try #require(try Shackle.find(in: context) { $0.size == 3 }.first)
        #expect(one.next?.size == 5)
    }

    @Test(arguments: Way.allCases)
    func `an import reports a nested identity whose object no row creates`(way: Way) throws {
        let stack = try makeStack()
        let text = #"""
            [{"id": 1, "name": "a", "parent": {"id": 2}, "children": [{"id": 3}],
              "anchors": [{"harbour": "x", "number": 3}]}, {"id": 4, "name": "d"}]
            """#
        let report = try load(text, into: Jetty.self, way, stack)
        #expect(report.inserted == 2)
        #expect(report.problems.map(\.row) == [0, 0, 0])
        #expect(
            Set(report.problems.map(\.path)) == [
                "parent.name", "children.0.name", "anchors.0.weight",
            ])
        #expect(report.problems.allSatisfy { $0.message.contains("no row completes the object") })
        let context = stack.newContext()
        #expect(try Jetty.count(in: context) == 2 && Anchor.count(in: context) == 0)
    }

    @Test func `an import reports an incomplete nested object even if its row follows`() throws {
        let stack = try makeStack()
        let text = #"""
            [{"id": 2, "name": "b", "anchors": [{"harbour": "x", "number": 1, "next": null}]}]
            """#
        let report = try load(text, into: Jetty.self, .context, stack)
        #expect(report.problems.map(\.path).contains("anchors.0.weight"))
        let both = try load(
            #"[{"id": 3, "name": "c", "parent": {"id": 4, "anchors": []}}, {"id": 4, "name": "d"}]"#,
            into: Jetty.self, .context, stack)
        #expect(both.problems.map(\.path) == ["parent.name"])
        let context = stack.newContext()
        let three = try #require(try Jetty.findFirst(by: \.id, 3, in: context))
        #expect(three.parent?.id == 4)
    }

    @Test(arguments: Way.allCases)
    func `a later row of an object replaces the nested identities of the first`(way: Way) throws {
        let stack = try makeStack()
        let text = #"""
            [{"id": 1, "name": "a", "parent": {"id": 3}, "children": [{"id": 4}]},
             {"id": 2, "name": "b"}, {"id": 1, "parent": 2, "children": []},
             {"id": 3, "name": "c"}, {"id": 4, "name": "d"}]
            """#
        let report = try load(text, into: Jetty.self, way, stack)
        #expect(report.problems.isEmpty)
        let context = stack.newContext()
        let one = try #require(try Jetty.findFirst(by: \.id, 1, in: context))
        #expect(one.parent?.id == 2 && one.children.isEmpty)
    }
}
