import Foundation
import RecordStack
import RecordStackTesting
import Testing

@Entity final class Parcel: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute(.imported(from: "items.0.size.w")) var width: Double?
    @Attribute(.imported(from: "sender.mail")) var mail: String?
    @Relationship(.imported(from: "items")) var items: OrderedToMany<ParcelItem>
    @Relationship(.imported(from: "sender"), inverse: \ParcelSender.parcels)
    var sender: ParcelSender?
}

@Entity final class ParcelItem: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute(.imported(from: "size.w")) var width: Double?
}

@Entity final class ParcelSender: ManagedObject {
    @Attribute(.unique) var id: Int
    @Relationship(.notImported) var parcels: ToMany<Parcel>
}

@Entity(.unique(\.fleet, \.number)) final class Truck: ManagedObject {
    @Attribute var fleet: String
    @Attribute var number: Int
    @Attribute var payload: Double
    @Relationship(inverse: \Truck.before) var next: Truck?
    @Relationship(.notImported) var before: ToMany<Truck>
    @Relationship(.notImported) var trailers: ToMany<Trailer>
    @Relationship(.importing(members: .replace), inverse: \Convoy.trucks)
    var convoys: ToMany<Convoy>
}

/// An entity with an identity of a relationship and a number.
@Entity(.unique(\.truck, \.number), identity: \.truck, \.number)
final class Trailer: ManagedObject {
    @Attribute var number: Int
    @Relationship(.required, inverse: \Truck.trailers) var truck: Truck?
    @Relationship(inverse: \Convoy.last) var convoy: Convoy?
}

@Entity final class Convoy: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship(.importing(members: .replace)) var trucks: OrderedToMany<Truck>
    @Relationship var last: Trailer?
    @Relationship(inverse: \Rumour.convoy) var rumours: ToMany<Rumour>
}

/// An entity without an identity.
@Entity final class Rumour: ManagedObject {
    @Attribute var text: String?
    @Relationship var convoy: Convoy?
}

@Entity final class Decal: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute(.imported(from: "code")) var code: String?
    @Attribute(.imported(from: "code")) var number: Int?
    @Attribute(.imported(from: "title", "alias")) var title: String?
    @Attribute(.imported(from: "alias")) var alias: String?
    @Attribute(.importing(null: .setDefault)) var ink: String? = "black"
    @Attribute(.importTransform { .string(($0.string ?? "").lowercased()) }) var tone: String?
    @Attribute(.dateFormat(.pattern("dd.MM.yyyy"))) var day: Date?
    @Attribute(.dateFormat(.pattern("dd.MM.yy"), .iso8601)) var made: Date?
    @Attribute(.dateFormat(.millisecondsSince1970, .secondsSince1970)) var stamp: Date?
    @Attribute(.imported(from: "grid.1200")) var far: Int?
    @Attribute(.imported(from: "grid.1")) var near: Int?
}

@Entity class Hull: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute(.imported(from: "kind")) var kind: String?
}

@Entity final class Barge: Hull {
    @Attribute var tons: Int = 1
}

@Entity final class Punt: Hull {
    @Attribute var poles: Int = 1
}

extension Hull: Importable {
    static var importDiscriminator: ImportDiscriminator? {
        ImportDiscriminator("kind", ["barge": Barge.self])
    }
}

/// An entity of which each level adds many brackets to the JSON.
@Entity final class Burrow: ManagedObject {
    @Attribute(.unique) var id: Int
    @Relationship(.imported(from: "a.b.c.d.e.f"), inverse: \Burrow.outer) var inner: Burrow?
    @Relationship(.notImported) var outer: ToMany<Burrow>
}

@Suite("Values that an export cannot write")
struct ExportLossTests {
    private let context: ManagedObjectContext

    init() throws { context = try Self.makeContext() }

    private static func makeContext() throws -> ManagedObjectContext {
        try TestStack(
            for: Parcel.self, ParcelItem.self, ParcelSender.self, Truck.self, Trailer.self,
            Convoy.self, Rumour.self, Decal.self, Hull.self, Barge.self, Punt.self, Burrow.self
        ).stack.newContext()
    }

    /// Exports entities one after another, imports them into another store, and expects the same
    /// export there.
    private func expectSame(
        _ types: [any (ManagedObject & ManagedEntity).Type],
        _ options: ExportOptions = ExportOptions(), location: SourceLocation = #_sourceLocation
    ) throws {
        func export(_ context: ManagedObjectContext) throws -> [String] {
            try types.map { type in
                func text<Entity: ManagedObject & ManagedEntity>(
                    _ type: Entity.Type
                ) throws -> String {
                    var data = Data()
                    try context.exportJSON(FetchRequest<Entity>(), options: options) { data += $0 }
                    return String(decoding: data, as: UTF8.self)
                }
                return try text(type)
            }
        }
        let texts = try export(context)
        let fresh = try Self.makeContext()
        for (text, type) in zip(texts, types) {
            func load<Entity: ManagedObject & ManagedEntity>(
                _ type: Entity.Type
            ) throws -> ImportReport {
                try Entity.importJSON(Data(text.utf8), in: fresh)
            }
            let report = try load(type)
            #expect(report.problems.isEmpty, "\(text)", sourceLocation: location)
        }
        #expect(try export(fresh) == texts, sourceLocation: location)
    }

    private func expectMisuse(
        _ property: String, _ options: ExportOptions = ExportOptions(),
        location: SourceLocation = #_sourceLocation, _ export: (ExportOptions) throws -> Data
    ) {
        do {
            let text = String(decoding: try export(options), as: UTF8.self)
            Issue.record("\(property) was lost: \(text)", sourceLocation: location)
        } catch let error as RecordStackError {
            #expect(error.code == .misuse, sourceLocation: location)
            #expect(
                error.message.contains(property), "\(error.message)", sourceLocation: location)
        } catch {
            Issue.record(error, sourceLocation: location)
        }
    }

    private static var deep: ExportOptions {
        var options = ExportOptions()
        options.depth = 1
        return options
    }

    @Test func `an export throws misuse if two objects' values for one key path differ`() throws {
        let parcel = try Parcel.create(in: context, id: 1)
        let item = try ParcelItem.create(in: context, id: 7)
        parcel.items.append(item)
        try expectSame([Parcel.self], Self.deep)
        (parcel.width, item.width) = (2.5, 2.5)
        try expectSame([Parcel.self], Self.deep)
        parcel.width = 3
        expectMisuse("width", Self.deep) { try parcel.exportJSON(options: $0) }
        (parcel.width, item.width) = (nil, 2.5)
        expectMisuse("width", Self.deep) { try parcel.exportJSON(options: $0) }
        item.width = nil
        parcel.sender = try ParcelSender.create(in: context, id: 1)
        try expectSame([Parcel.self], Self.deep)
        parcel.mail = "a@b"
        expectMisuse("mail", Self.deep) { try parcel.exportJSON(options: $0) }
        expectMisuse("width") { try parcel.exportJSON(options: $0) }
    }

    @Test func `an export writes a related object as its composite identity's values`() throws {
        let convoy = try Convoy.create(in: context, name: "c")
        for number in [3, 1, 2] {
            let truck = try Truck.create(in: context, fleet: "x", number: number, payload: 1)
            convoy.trucks.append(truck)
            truck.next = convoy.trucks.first
            convoy.last = try Trailer.create(in: context, number: number, truck: truck)
        }
        let text = try String(decoding: convoy.exportJSON(), as: UTF8.self)
        #expect(
            text == #"""
                {"name":"c","trucks":[{"fleet":"x","number":3},{"fleet":"x","number":1},\#
                {"fleet":"x","number":2}],"last":{"number":2,"truck":{"fleet":"x","number":2}}}

                """#)
        for depth in 0..<3 {
            var options = ExportOptions()
            options.depth = depth
            try expectSame([Truck.self, Trailer.self, Convoy.self], options)
            // The trucks come after the objects that refer to them.
            try expectSame([Trailer.self, Convoy.self, Truck.self].reversed(), options)
        }
    }

    @Test func `an export to depth 0 throws misuse for members without an identity`() throws {
        let convoy = try Convoy.create(in: context, name: "c")
        let rumour = try Rumour.create(in: context)
        convoy.rumours.insert(rumour)
        expectMisuse("rumours") { try convoy.exportJSON(options: $0) }
        var options = ExportOptions()
        options.except = ["rumours"]
        #expect(try convoy.exportJSON(options: options).count > 10)
        try expectSame([Convoy.self], Self.deep)
        options = Self.deep
        options.includesNulls = false
        try expectSame([Convoy.self], options)
    }

    @Test func `an export throws misuse for different values under a shared key`() throws {
        let label = try Decal.create(in: context, id: 1)
        (label.code, label.number) = ("12", 12)
        try expectSame([Decal.self])
        label.number = 13
        expectMisuse("number") { try label.exportJSON(options: $0) }
        (label.code, label.number) = (nil, 12)
        expectMisuse("number") { try label.exportJSON(options: $0) }
    }

    @Test func `an export throws misuse for a nil whose fallback key has a value`() throws {
        let label = try Decal.create(in: context, id: 1)
        (label.title, label.alias) = ("a", "b")
        try expectSame([Decal.self])
        label.title = nil
        for includesNulls in [false, true] {
            var options = ExportOptions()
            options.includesNulls = includesNulls
            expectMisuse("title", options) { try label.exportJSON(options: $0) }
        }
    }

    @Test func `an export throws misuse for a nil if an import reads null as a default`() throws {
        let label = try Decal.create(in: context, id: 1)
        try expectSame([Decal.self])
        label.ink = nil
        expectMisuse("ink") { try label.exportJSON(options: $0) }
    }

    @Test func `an export throws misuse for a value that a transform would change`() throws {
        let label = try Decal.create(in: context, id: 1)
        label.tone = "loud"
        try expectSame([Decal.self])
        label.tone = "LOUD"
        expectMisuse("tone") { try label.exportJSON(options: $0) }
    }

    @Test func `an export keeps a date exactly or throws misuse`() throws {
        let label = try Decal.create(in: context, id: 1)
        let day = Date(timeIntervalSince1970: 1_517_961_600)
        label.day = day
        try expectSame([Decal.self])
        label.day = day + 1
        expectMisuse("day") { try label.exportJSON(options: $0) }
        label.day = nil
        for made in [day, day + 0.5, Date(timeIntervalSince1970: -3e9)] {
            label.made = made
            try expectSame([Decal.self])
        }
        // Below 100 million, seconds and milliseconds cannot be distinguished.
        for stamp in [1_517_966_773, 1_517_966_773.25, 0, 5, -1_517_966_773] {
            label.stamp = Date(timeIntervalSince1970: stamp)
            try expectSame([Decal.self])
        }
        label.stamp = Date(timeIntervalSince1970: 1e15)
        expectMisuse("stamp") { try label.exportJSON(options: $0) }
    }

    @Test func `a key path with the huge index 1200 survives an export and an import`() throws {
        let label = try Decal.create(in: context, id: 1)
        (label.near, label.far) = (1, 2)
        try expectSame([Decal.self])
    }

    @Test func `an export throws misuse for an object with a wrong discriminator`() throws {
        let barge = try Barge.create(in: context, id: 1)
        barge.kind = "barge"
        barge.tons = 5
        try expectSame([Hull.self])
        barge.kind = "raft"
        expectMisuse("kind") { try barge.exportJSON(options: $0) }
        barge.kind = "barge"
        try Punt.create(in: context, id: 2).poles = 3
        expectMisuse("Punt") { try Hull.exportJSON(in: context, options: $0) }
        #expect(try Punt.exportJSON(in: context).count > 10)
    }

    @Test func `an export throws misuse if it nests deeper than an import reads`() throws {
        var inner: Burrow?
        for id in 0..<100 {
            let burrow = try Burrow.create(in: context, id: id)
            burrow.inner = inner
            inner = burrow
        }
        let burrow = try #require(inner)
        var options = ExportOptions()
        options.depth = 70
        #expect(try burrow.exportJSON(options: options).count > 1_000)
        options.depth = 100
        expectMisuse("512", options) { try burrow.exportJSON(options: $0) }
    }
}
