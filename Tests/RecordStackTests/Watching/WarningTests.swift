import Dispatch
import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// The warnings of a stack, each of which comes once.
@Suite("Warnings") struct WarningTests {
    private static func stack(
        _ log: WarningLog, mainThreadLimit: Double = 1_000_000, people: Int = 3
    ) async throws -> ContextStack {
        var options = log.options()
        options.watching.mainThreadLimit = mainThreadLimit
        let test = try TestStack(entities: [Person.self], at: .memory, options: options)
        if people == 0 { return test.stack }
        // The save does not run on the main actor.
        try await test.stack.saveWithBlock { context in
            for number in 0..<people { try Person.create(in: context, email: "\(number)") }
        }
        return test.stack
    }
}

// MARK: Work on the main actor

extension WarningTests {
    /// Saves and waits. Async code must not call `saveAndWait()` directly.
    @MainActor
    private static func saveAndWait(_ context: ManagedObjectContext) throws {
        try context.saveAndWait()
    }
}

extension WarningTests {
    @MainActor
    @Test func `slow requests of the default context on the main actor warn once`() async throws {
        let log = WarningLog()
        let stack = try await Self.stack(log, mainThreadLimit: 0)
        let people = try Person.find(in: stack.defaultContext)
        _ = try Person.count(in: stack.defaultContext)
        _ = try Person.count(in: stack.defaultContext.newChild())
        let messages = log.messages(.mainThreadWork)
        #expect(messages.count == 1)
        let message = try #require(messages.first)
        #expect(message.contains("an operation of “default” (default → root), which ran 1 "))
        #expect(message.contains("read 3 rows"))
        #expect(message.contains("WarningTests.swift:"))
        #expect(message.contains("stack.read"))
        withExtendedLifetime(people) {}
    }

    @MainActor
    @Test func `a slow save that the main actor waits for logs a warning`() async throws {
        let log = WarningLog()
        // Without people, there is no earlier save to merge, which would be an operation before
        // this save.
        let stack = try await Self.stack(log, mainThreadLimit: 0, people: 0)
        try Person.create(in: stack.defaultContext, email: "a")
        try Self.saveAndWait(stack.defaultContext)
        let messages = log.messages(.mainThreadWork)
        #expect(messages.count == 1)
        #expect(messages.first?.contains("a save of “default” (default → root) that waits") == true)
    }

    /// A way in which the main actor waits for a save of the default context.
    enum WaitingSave: CaseIterable {
        case save, childSave, block

        @MainActor
        func run(_ context: ManagedObjectContext) throws {
            switch self {
            case .save:
                try Person.create(in: context, email: "new")
                try context.saveAndWait()
            case .childSave:
                let child = context.newChild()
                try Person.create(in: child, email: "new")
                try child.saveAndWait()
            case .block:
                try context.saveWithBlockAndWait {
                    try Person.create(in: $0, email: "new").objectID
                }
            }
        }
    }

    /// Lets another program hold the store's write lock for some time, and returns when it has the
    /// lock.
    private static func holdLock(_ path: String, seconds: Double) {
        let isHeld = DispatchSemaphore(value: 0)
        DispatchQueue(label: "foreign").async {
            let foreign = try? ForeignProgram(path: path)
            foreign?.attempt("BEGIN IMMEDIATE")
            isHeld.signal()
            usleep(UInt32(seconds * 1_000_000))
            foreign?.attempt("ROLLBACK")
        }
        isHeld.wait()
    }

    @MainActor
    @Test(arguments: WaitingSave.allCases, [0.1, 60])
    func `a save that the main actor waits for warns only past the time limit`(
        _ save: WaitingSave, limit: Double
    ) async throws {
        let log = WarningLog()
        var options = log.options()
        options.watching.mainThreadLimit = limit
        options.watching.waitLimit = 60
        let test = try TestStack(entities: [Person.self], at: .temporaryFile, options: options)
        // Leases keys off the main actor, so that only the save waits.
        try await test.stack.saveWithBlock { _ = try Person.create(in: $0, email: "old") }
        Self.holdLock(try #require(test.path), seconds: 0.3)
        try save.run(test.stack.defaultContext)
        let messages = log.messages(.mainThreadWork)
        #expect(messages.count == (limit < 1 ? 1 : 0), "\(messages)")
        #expect(messages.allSatisfy { $0.contains("that waits") })
    }

    @MainActor
    @Test func `only long work of the default context logs a main-thread warning`() async throws {
        let log = WarningLog()
        let slow = try await Self.stack(log, mainThreadLimit: 0)
        let context = slow.newContext()
        _ = try Person.find(in: context)
        _ = try await slow.read { try Person.count(in: $0) }
        try await slow.saveWithBlock { _ = try Person.create(in: $0, email: "a") }
        let quick = try await Self.stack(log)
        _ = try Person.find(in: quick.defaultContext)
        #expect(log.warnings.isEmpty)
    }
}

// MARK: A parent that has moved on

extension WarningTests {
    enum Step: CaseIterable {
        case rollback, reset, refresh
    }

    @Test(arguments: Step.allCases)
    func `a child warns once if its parent discards edits of an object it edited`(step: Step)
        async throws
    {
        let log = WarningLog()
        let stack = try await Self.stack(log)
        let list = stack.newContext(name: "list")
        let form = list.newChild(name: "form")
        let above = try #require(try Person.findFirst(by: \.email, "1", in: list))
        above.name = "above"
        let below = try above.in(form)
        below.age = 3
        _ = try Person.count(in: form)
        #expect(log.warnings.isEmpty)
        switch step {
        case .rollback: list.rollback()
        case .reset: list.reset()
        case .refresh: try list.refresh(above, mergingChanges: false)
        }
        _ = try Person.count(in: form)
        _ = try Person.count(in: form)
        #expect(below.name.isEmpty && below.age == 3)
        let messages = log.messages(.parentMovedOn)
        #expect(messages.count == 1)
        let message = try #require(messages.first)
        #expect(
            message.hasPrefix("The context “form” (form → list → root) is used with changes of "))
        #expect(message.contains("\(below.objectID) that rest on changes of its parent “list”"))
        // The same child does not warn again.
        above.name = "above again"
        try above.in(list).name = "above again"
        list.rollback()
        _ = try Person.count(in: form)
        #expect(log.messages(.parentMovedOn).count == 1)
    }

    @Test func `a parent that saves edits or discards unrelated ones causes no warning`()
        async throws
    {
        let log = WarningLog()
        let stack = try await Self.stack(log)
        let list = stack.newContext(name: "list")
        let form = list.newChild(name: "form")
        let above = try #require(try Person.findFirst(by: \.email, "1", in: list))
        above.name = "above"
        let below = try above.in(form)
        below.age = 3
        try await list.save()
        _ = try Person.count(in: form)
        let other = try #require(try Person.findFirst(by: \.email, "2", in: list))
        other.name = "other"
        _ = try Person.count(in: form)
        list.rollback()
        _ = try Person.count(in: form)
        try await form.save()
        #expect(log.warnings.isEmpty)
    }

    /// Assigning an equal value is no change, although the object remembers the assignment.
    @Test(arguments: Step.allCases)
    func `a child that set an equal value does not warn when its parent discards`(step: Step)
        async throws
    {
        let log = WarningLog()
        let stack = try await Self.stack(log)
        let list = stack.newContext(name: "list")
        let form = list.newChild(name: "form")
        let above = try #require(try Person.findFirst(by: \.email, "1", in: list))
        let below = try above.in(form)
        (below.name, below.age) = (below.name, 3)
        try await form.save()
        #expect(!form.hasChanges)
        above.name = "above"
        #expect(try Person.find(in: form).contains { $0.name == "above" })
        switch step {
        case .rollback: list.rollback()
        case .reset: list.reset()
        case .refresh: try list.refresh(above, mergingChanges: false)
        }
        _ = try Person.find(in: form)
        #expect(log.warnings.isEmpty)
        #expect(below.name.isEmpty && below.age == 3 && !form.hasChanges)
    }

    @Test func `a child does not warn after its parent sets an edited value back`() async throws {
        let log = WarningLog()
        let stack = try await Self.stack(log)
        let list = stack.newContext(name: "list")
        let form = list.newChild(name: "form")
        let above = try #require(try Person.findFirst(by: \.email, "1", in: list))
        let name = above.name
        above.name = "above"
        let below = try above.in(form)
        _ = try Person.count(in: form)
        above.name = name
        _ = try Person.count(in: form)
        below.age = 3
        _ = try Person.count(in: list)
        _ = try Person.count(in: form)
        try await list.save()
        _ = try Person.count(in: form)
        #expect(log.warnings.isEmpty)
        try await form.save()
        #expect(log.warnings.isEmpty)
    }

    @Test func `a child's edit warns if its parent discards the edited new object`() async throws {
        let log = WarningLog()
        let stack = try await Self.stack(log)
        let list = stack.newContext(name: "list")
        let form = list.newChild(name: "form")
        let above = try Person.create(in: list, email: "new")
        let below = try above.in(form)
        below.age = 3
        list.rollback()
        _ = try Person.count(in: form)
        #expect(log.messages(.parentMovedOn).count == 1)
        withExtendedLifetime(below) {}
    }
}

// MARK: The end of the process

extension WarningTests {
    private static func warnings(_ result: ExitTest.Result?) -> [String] {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            .split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("RecordStack warning, unsavedChanges: ") }
    }

    /// Ends the process, which the compiler does not notice.
    @MainActor
    private static func end() { exit(0) }

    @MainActor
    private static func open(_ path: String) throws -> ContextStack {
        let stack = try ContextStack(for: Person.self, at: .file(path))
        try Person.create(in: stack.defaultContext, email: "saved")
        try stack.defaultContext.saveAndWait()
        let person = try #require(try Person.findFirst(in: stack.defaultContext))
        person.name = "changed"
        try Person.create(in: stack.defaultContext, email: "new")
        return stack
    }

    @Test func `ending the process with unsaved changes warns`() async throws {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            let folder = try TemporaryFolder("unsaved")
            let stack = try await Self.open(folder.file("people.sqlite"))
            await Self.end()
            withExtendedLifetime((folder, stack)) {}
        }
        let warnings = Self.warnings(result)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("of “default” (default → root) of ") == true)
        #expect(
            warnings.first?.contains("people.sqlite is lost: 1 inserted, 1 updated, 0 deleted.")
                == true)
    }

    @Test func `unsaved changes of a freed stack warn when the process ends`() async throws {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            let folder = try TemporaryFolder("unsaved")
            let path = folder.file("people.sqlite")
            try await MainActor.run {
                weak let stack = try Self.open(path)
                #expect(stack == nil)
                Self.end()
            }
        }
        #expect(Self.warnings(result).count == 1)
    }

    @Test
    func `saved or discarded changes, and stores in memory, do not warn at exit`() async throws {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            let folder = try TemporaryFolder("unsaved")
            try await MainActor.run {
                let saved = try Self.open(folder.file("saved.sqlite"))
                try saved.defaultContext.saveAndWait()
                let rolledBack = try Self.open(folder.file("rolled-back.sqlite"))
                rolledBack.defaultContext.rollback()
                let closed = try Self.open(folder.file("closed.sqlite"))
                try closed.close()
                let memory = try ContextStack(for: Person.self, at: .inMemory)
                try Person.create(in: memory.defaultContext, email: "new")
                var options = StoreOptions()
                options.watching.warnings = false
                let silent = try ContextStack(
                    for: Person.self, at: .file(folder.file("silent.sqlite")), options: options)
                try Person.create(in: silent.defaultContext, email: "new")
                withExtendedLifetime((saved, rolledBack, closed, memory, silent)) { Self.end() }
            }
        }
        #expect(Self.warnings(result).isEmpty)
    }
}
