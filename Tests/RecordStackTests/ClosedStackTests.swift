import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// Verbs that have nothing to do, and must report the closed stack all the same.
@Suite("Verbs on a closed stack") struct ClosedStackTests {
    private typealias Verb = (name: String, body: @Sendable (ManagedObjectContext) throws -> Void)

    private static let verbs: [Verb] = [
        ("importJSON", { try ShutDepot.importJSON(Data("[]".utf8), in: $0) }),
        ("importJSON of a type", { try $0.importJSON(Data("[]".utf8), into: ShutDepot.self) }),
        (
            "importJSON, a dry run",
            {
                var options = ImportOptions()
                options.isDryRun = true
                try ShutDepot.importJSON(Data("[]".utf8), in: $0, options: options)
            }
        ),
        ("importDictionaries", { try ShutDepot.importDictionaries([], in: $0) }),
        ("importEncodable", { try ShutDepot.importEncodable([String](), in: $0) }),
        ("importValues", { try ShutDepot.importValues([], in: $0) }),
        ("create(from:)", { try ShutDepot.create(from: [Int](), in: $0) { _, _ in } }),
        (
            "upsert(by:)",
            { try ShutDepot.upsert([Int](), by: \.code, key: { $0 }, in: $0) { _, _, _ in } }
        ),
        ("upsert of snapshots", { try ShutDepot.upsert([Snapshot<ShutDepot>](), in: $0) }),
        ("create", { try ShutDepot.create(in: $0, code: 1) }),
        ("find", { _ = try ShutDepot.find(in: $0) }),
        ("find, limited to none", { _ = try $0.find(ShutDepot.all.limited(to: 0)) }),
        ("findLazily", { _ = try ShutDepot.findLazily(in: $0) }),
        ("findFirst", { _ = try ShutDepot.findFirst(in: $0) }),
        ("count", { _ = try ShutDepot.count(in: $0) }),
        ("exists", { _ = try ShutDepot.exists(in: $0) }),
        ("page 0", { _ = try ShutDepot.page(0, size: 1, in: $0) }),
        ("page(after:)", { _ = try ShutDepot.page(after: nil, size: 1, in: $0) }),
        ("each", { try ShutDepot.each(in: $0) { _ in } }),
        ("objectIDs", { _ = try ShutDepot.objectIDs(in: $0) }),
        ("snapshots", { _ = try ShutDepot.snapshots(in: $0) }),
        ("delete", { _ = try ShutDepot.delete(in: $0) { $0.code == 1 } }),
        ("deleteAll", { _ = try ShutDepot.deleteAll(in: $0) }),
        ("exportJSON", { _ = try ShutDepot.exportJSON(in: $0) }),
        ("sum", { _ = try ShutDepot.sum(of: \.code, in: $0) }),
        ("validate", { try $0.validate() }),
        ("saveAndWait", { _ = try $0.saveAndWait() }),
        ("push", { _ = try $0.newChild().push() }),
    ]

    @Test(arguments: verbs.indices)
    func `every call on a closed stack throws closed, even with nothing to do`(
        index: Int
    ) throws {
        let stack = try TestStack(for: ShutDepot.self).stack
        let context = stack.newContext()
        try stack.close()
        let error = #expect(throws: RecordStackError.self, "\(Self.verbs[index].name)") {
            try Self.verbs[index].body(context)
        }
        #expect(error?.code == .closed, "\(Self.verbs[index].name)")
    }
}

@Entity final class ShutDepot: ManagedObject {
    @Attribute(.unique) var code: Int
}
