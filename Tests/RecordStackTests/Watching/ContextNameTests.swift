import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// The names of contexts, and their printed form.
@Suite("Names of contexts") struct ContextNameTests {
    @Test func `a context prints its ancestors and the number of unsaved changes`() throws {
        let test = try TestStack(for: Person.self) { context in
            for number in 0..<3 { try Person.create(in: context, email: "\(number)") }
        }
        let list = test.stack.newContext(name: "list")
        let form = list.newChild(name: "form")
        let people = try Person.find(sortedBy: .ascending(\.email), in: list)
        #expect("\(list)" == "list → root: 0 inserted, 0 updated, 0 deleted")
        people[0].name = "Ann"
        try people[1].delete()
        try Person.create(in: form, email: "new")
        #expect("\(form)" == "form → list → root: 1 inserted, 0 updated, 0 deleted")
        #expect(
            String(reflecting: form) == """
                form → list → root
                  form: 1 inserted, 0 updated, 0 deleted; \(form.registeredObjectCount) registered
                  list: 0 inserted, 1 updated, 1 deleted; \(list.registeredObjectCount) registered
                """)
    }

    @Test func `a context can be renamed from any thread`() async throws {
        let stack = try TestStack(for: Person.self).stack
        let list = stack.newContext(name: "list")
        let form = list.newChild(name: "form")
        let monitor = list.monitor
        await Task.detached { monitor.name = "people" }.value
        #expect(list.name == "people")
        #expect(form.monitor.path == "form → people → root")
        list.name = "persons"
        #expect("\(monitor)" == "persons → root")
    }

    @Test func `contextMonitors lists all live contexts of a stack`() async throws {
        let stack = try TestStack(for: Person.self).stack
        let list = stack.newContext(name: "list")
        do {
            let form = list.newChild(name: "form")
            #expect(
                stack.contextMonitors.map(\.path)
                    == ["default → root", "list → root", "form → list → root"])
            try withExtendedLifetime(form) { _ = try Person.count(in: form) }
        }
        stack.contextMonitors.first?.name = "main window"
        #expect(await MainActor.run { stack.defaultContext.name } == "main window")
        let inside = try await stack.saveWithBlock { _ in stack.contextMonitors.map(\.name) }
        #expect(inside == ["main window", "list", "save block"])
        #expect(stack.contextMonitors.map(\.name) == ["main window", "list"])
        withExtendedLifetime(list) {}
    }

    @Test func `renaming a private queue context renames the context in its blocks`() async throws {
        let stack = try TestStack(for: Person.self).stack
        let queue = stack.newPrivateQueueContext(name: "first")
        #expect(queue.name == "first")
        queue.name = "second"
        #expect(try await queue.perform { $0.name } == "second")
        let error = await #expect(throws: RecordStackError.self) {
            try await queue.perform { _ in try queue.performAndWait { _ in } }
        }
        #expect(error?.message.contains("“second”") == true)
        stack.rootSavingContext.name = "writing"
        #expect(stack.rootSavingContext.name == "writing")
    }

    @Test func `a context monitor can be read after its context and stack are gone`() throws {
        var monitor: ContextMonitor?
        weak var stack: ContextStack?
        do {
            let test = try TestStack(for: Person.self)
            stack = test.stack
            monitor = test.stack.newContext(name: "short").monitor
        }
        #expect(stack == nil)
        #expect(monitor?.path == "short → root")
    }
}
