import Foundation
import RecordStack
import RecordStackModel
import Synchronization
import TestSupport
import Testing

/// Objects are told of saves that have reached the store, whenever that is found out.
@Suite struct DidSaveTests {
    private func makeStack(on disk: FaultyDisk, in folder: TemporaryFolder) throws -> ContextStack {
        var options = StoreOptions(busyTimeout: 0.5)
        options.vfs = disk.name
        // The disk outlives every connection that is on it.
        options.observer = { _ in _ = disk }
        return try ContextStack(
            entities: [Bell.self], at: .file(folder.file("bells.sqlite")), options: options)
    }

    @Test(arguments: UnknownOutcome.allCases)
    func `an unknown outcome is told of when it is found out`(_ outcome: UnknownOutcome) throws {
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
    func `another context's save finds out, and the objects hear at their next operation`(
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

/// Notes that it was told, in a list that is lazy because it is not to be stored.
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
