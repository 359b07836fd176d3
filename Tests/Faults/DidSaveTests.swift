import Foundation
import RecordStack
import RecordStackModel
import Synchronization
import TestSupport
import Testing

/// The calls of `didSave` after a save that has reached the store, whenever the stack finds that
/// out.
@Suite("didSave after in-doubt saves") struct DidSaveTests {
    private func makeStack(on disk: FaultyDisk, in folder: TemporaryFolder) throws -> ContextStack {
        var options = StoreOptions(busyTimeout: 0.5)
        options.vfs = disk.name
        // The disk must outlive every connection on it.
        options.observer = { _ in _ = disk }
        return try ContextStack(
            entities: [Bell.self], at: .file(folder.file("bells.sqlite")), options: options)
    }

    @Test(arguments: UnknownOutcome.allCases)
    func `didSave runs when the stack finds out that an in-doubt save succeeded`(
        _ outcome: UnknownOutcome
    ) throws {
        let (disk, folder) = (FaultyDisk(), try TemporaryFolder("bells"))
        let stack = try makeStack(on: disk, in: folder)
        let context = stack.newContext()
        let first = try Bell.create(in: context)
        try context.saveAndWait()
        #expect(first.takeRings() == ["willSave", "didSave"])
        let second = try Bell.create(in: context, text: String(repeating: "ding ", count: 2_000))
        first.text = "dong"
        try outcome.meet(on: disk) { try context.saveAndWait() }
        #expect(first.takeRings() == ["willSave"] && second.takeRings() == ["willSave"])
        #expect(try (context.saveAndWait() == .noChanges) == outcome.isThere)
        let expected = outcome.isThere ? ["didSave"] : ["willSave", "didSave"]
        #expect(first.takeRings() == expected && second.takeRings() == expected)
        try stack.close()
    }

    @Test(arguments: UnknownOutcome.allCases)
    func `didSave of an in-doubt save runs at its own context's next operation`(
        _ outcome: UnknownOutcome
    ) throws {
        let (disk, folder) = (FaultyDisk(), try TemporaryFolder("bells"))
        let stack = try makeStack(on: disk, in: folder)
        let (context, other) = (stack.newContext(), stack.newContext())
        let bell = try Bell.create(in: context, text: String(repeating: "ding ", count: 2_000))
        let theirs = try Bell.create(in: other)
        try outcome.meet(on: disk) { try context.saveAndWait() }
        #expect(bell.takeRings() == ["willSave"])
        try other.saveAndWait()
        #expect(bell.takeRings() == [] && theirs.takeRings() == ["willSave", "didSave"])
        #expect(try Bell.count(in: context) == 2)
        #expect(bell.takeRings() == (outcome.isThere ? ["didSave"] : []))
        #expect(try (context.saveAndWait() == .noChanges) == outcome.isThere)
        #expect(bell.takeRings() == (outcome.isThere ? [] : ["willSave", "didSave"]))
        try stack.close()
    }
}

/// Records the hooks that ran. The list is lazy because it must not be stored.
@Entity final class Bell: ManagedObject {
    @Attribute var text: String = ""
    private lazy var rings: [String] = []

    override func willSave() { rings.append("willSave") }
    override func didSave() { rings.append("didSave") }

    func takeRings() -> [String] {
        defer { rings = [] }
        return rings
    }
}
