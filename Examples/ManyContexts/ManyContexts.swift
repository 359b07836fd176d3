import RecordStack

/// Shows the default context, a child of it, an actor's context, and a conflict.
///
/// The last part is a save block on top of unsaved changes.
@main
struct ManyContexts {
    @MainActor
    static func main() async throws {
        let stack = try ContextStack(for: Article.self, at: .inMemory)
        let bread = try await fill(stack)
        try await follow(stack, bread)
        try await editInAForm(stack, bread)
        try await meetAConflict(stack, bread)
        try stack.close()
        try await goOnWithWhatIsEdited()
    }

    @MainActor
    private static func fill(_ stack: ContextStack) async throws -> Article {
        let id = try await stack.saveWithBlock { context in
            try Article.create(in: context, name: "bread", stock: 10).objectID
        }
        return try Article.existing(id, in: stack.defaultContext)
    }

    /// Shows that the default context follows an actor's saves.
    @MainActor
    private static func follow(_ stack: ContextStack, _ bread: Article) async throws {
        let warehouse = Warehouse(stack: stack)
        let stock = try await warehouse.deliver(5, of: "bread")
        print("The actor delivered: it has \(stock).")
        _ = try Article.count(in: stack.defaultContext)  // an operation merges new commits
        print("The default context shows \(bread.stock).")
        for monitor in stack.contextMonitors { print("  \(monitor.path)") }
    }

    /// Edits a form in a child. A push gives its changes to the parent; dropping it discards them.
    @MainActor
    private static func editInAForm(_ stack: ContextStack, _ bread: Article) async throws {
        let context = stack.defaultContext
        let form = context.newChild(name: "form")
        try bread.in(form).note = "with seeds"
        print("\nIn the form \"\(try bread.in(form).note)\", in its parent \"\(bread.note)\".")
        try form.push()
        print("Pushed: in its parent \"\(bread.note)\", saved: \(!context.hasChanges).")
        try await context.save()
        let dropped = context.newChild(name: "second form")
        try bread.in(dropped).delete()
        print("Deleted in a form that is dropped: still \(try Article.count(in: context)) article.")
    }

    /// Lets two contexts decrement the same number. The second save throws, and no change is lost.
    @MainActor
    private static func meetAConflict(_ stack: ContextStack, _ bread: Article) async throws {
        let counter = stack.newContext(name: "counter")
        let same = try bread.in(counter)
        same.stock -= 1
        bread.stock -= 1
        try await counter.save()
        do {
            try await stack.defaultContext.save()
        } catch let error as RecordStackError where error.code == .conflict {
            print("\n\(error.conflicts[0])")
            try stack.defaultContext.refresh(bread, mergingChanges: false)
            bread.stock -= 1
        }
        try await stack.defaultContext.save()
        print("Sold one after the other: \(bread.stock) left.")
        bread.stock -= 1
        try await stack.saveWithBlock { context in
            try Article.findFirst(by: \.name, "bread", in: context)?.note = "sliced"
        }
        try await stack.defaultContext.save()
        print("Different properties are no conflict: \(bread.stock), \(bread.note).")
    }

    /// Shows that a save block under `.nested` saves the default context's unsaved changes.
    @MainActor
    private static func goOnWithWhatIsEdited() async throws {
        let stack = try ContextStack(for: Article.self, at: .inMemory, architecture: .nested)
        let cake = try Article.create(in: stack.defaultContext, name: "cake", note: "being typed")
        let path = try await stack.saveWithBlock { context in
            try Article.findFirst(by: \.name, "cake", in: context)?.stock = 3
            return context.monitor.path
        }
        print("\n\(path): \(cake.note), \(cake.stock) in stock, saved: \(!cake.hasChanges).")
        try stack.close()
    }
}
