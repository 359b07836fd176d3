import Dispatch
import RecordStack

// A program in Swift 5 mode, in which the compiler lets contexts and objects leave their isolation.
// Each leak must stop the program, unless the isolation watch is turned off.

@Entity final class Note: ManagedObject {
    @Attribute var text: String
    @Relationship(inverse: \Book.notes) var book: Book?

    override func awakeFromFetch() {
        if text == "slow" { Overlap.rest() }
    }
}

@Entity final class Book: ManagedObject {
    @Attribute var title: String
    @Relationship var notes: ToMany<Note>
}

/// Carries a context or an object to any isolation.
final class Bag {
    var context: ManagedObjectContext?
    var note: Note?
}

actor Archive {
    let stack: ContextStack
    lazy var context = stack.newContext(ownedBy: self, name: "archived")

    init(_ stack: ContextStack) { self.stack = stack }

    func leak(into bag: Bag) throws {
        bag.context = context
        bag.note = try Note.findFirst(in: context)
    }

    func count(with bag: Bag) throws -> Int { try Note.count(in: bag.context ?? context) }
}

actor Reader {
    let stack: ContextStack
    lazy var context = stack.newContext(ownedBy: self, name: "reading")

    init(_ stack: ContextStack) { self.stack = stack }

    func count(with bag: Bag) throws -> Int {
        try Note.count(in: context) + Note.count(in: bag.context!)
    }
}

/// Two queues that use one context at the same time.
enum Overlap {
    private static let isInside = DispatchSemaphore(value: 0)

    /// Blocks the current operation until the process is stopped.
    static func rest() {
        isInside.signal()
        while true { _ = DispatchSemaphore(value: 0).wait(timeout: .distantFuture) }
    }

    static func run(_ bag: Bag) {
        DispatchQueue(label: "first").async { _ = try? Note.find(in: bag.context!) }
        DispatchQueue(label: "second").async {
            isInside.wait()
            _ = try? Note.count(in: bag.context!)
        }
    }
}

func on(_ queue: String, _ body: @escaping () throws -> Void) async {
    await withCheckedContinuation { continuation in
        DispatchQueue(label: queue).async {
            try? body()
            continuation.resume()
        }
    }
}

@main
struct Program {
    @MainActor
    static func main() async throws {
        let stack = try ContextStack(for: Note.self, at: .inMemory)
        try await stack.saveWithBlock { context in
            let book = try Book.create(in: context, title: "A")
            try Note.create(in: context, text: "a").book = book
        }
        let bag = Bag()
        let archive = Archive(stack)
        let background = stack.newPrivateQueueContext(name: "background")
        switch CommandLine.arguments[1] {
        case "context of the main actor":
            bag.context = stack.defaultContext
            await on("stranger") { _ = try Note.count(in: bag.context!) }
        case "creating":
            bag.context = stack.defaultContext
            await on("stranger") { try Note.create(in: bag.context!, text: "b") }
        case "child of the main actor's":
            bag.context = stack.defaultContext.newChild(name: "form")
            await on("stranger") { _ = try bag.context!.saveAndWait() }
        case "changes of the main actor":
            bag.context = stack.defaultContext
            await on("stranger") { bag.context!.rollback() }
        case "fault of the main actor":
            bag.note = try Note.findFirst(in: stack.defaultContext)
            stack.defaultContext.refreshAllObjects()
            await on("stranger") { print(bag.note!.text) }
        case "object that is written":
            bag.note = try Note.findFirst(in: stack.defaultContext)
            await on("stranger") { bag.note!.text = "b" }
        case "members":
            bag.note = try Note.findFirst(in: stack.defaultContext)
            await on("stranger") { print(bag.note!.book!.notes.count) }
        case "context of an actor":
            try await archive.leak(into: bag)
            await on("stranger") { _ = try Note.count(in: bag.context!) }
        case "context of an actor on the main actor":
            try await archive.leak(into: bag)
            print(try Note.count(in: bag.context!))
        case "context of an actor in another one":
            try await archive.leak(into: bag)
            print(try await Reader(stack).count(with: bag))
        case "context of an actor in a task":
            try await archive.leak(into: bag)
            try await Task.detached(name: "wanderer") { _ = try Note.count(in: bag.context!) }.value
        case "object of an actor":
            try await archive.leak(into: bag)
            bag.note!.text = "b"
        case "context of a queue":
            try await background.perform { bag.context = $0 }
            print(try Note.count(in: bag.context!))
        case "context of a queue while it is busy":
            try await background.perform { context in
                bag.context = context
                DispatchQueue(label: "stranger").async { _ = try? Note.count(in: bag.context!) }
                while true { _ = DispatchSemaphore(value: 0).wait(timeout: .distantFuture) }
            }
        case "context of a save block":
            try await stack.saveWithBlock { bag.context = $0 }
            print(try Note.count(in: bag.context!))
        case "context of a read":
            try await stack.read { bag.context = $0 }
            print(try Note.count(in: bag.context!))
        case "context in two places":
            try await stack.saveWithBlock { _ = try Note.create(in: $0, text: "slow") }
            bag.context = stack.newContext(name: "shared")
            Overlap.run(bag)
            try await Task.sleep(for: .seconds(600))
        case "what is allowed":
            try await allowed(stack, archive, background)
        case let other:
            print("unknown: \(other)")
        }
        print("went on")
    }

    /// Does things that look wrong and are allowed.
    @MainActor
    static func allowed(
        _ stack: ContextStack, _ archive: Archive, _ background: PrivateQueueContext
    ) async throws {
        let context = stack.defaultContext
        try Note.create(in: context, text: "b")
        try await context.save()
        try await context.saveWithBlock { _ = try Note.create(in: $0, text: "c") }
        print(try await archive.count(with: Bag()))
        // A context without an owner may move from thread to thread, one after another.
        let wanderer = Bag()
        wanderer.context = stack.newContext()
        for _ in 0..<20 {
            await on("stranger") { _ = try Note.find(in: wanderer.context!) }
            try await Task.detached {
                try Note.create(in: wanderer.context!, text: "d")
                try await wanderer.context!.save()
            }.value
        }
        try await background.perform { context in
            _ = try Note.find(in: context.newChild())
            try stack.rootSavingContext.performAndWait { _ = try Note.count(in: $0) }
        }
        // Reading loaded values needs no isolation.
        let bag = Bag()
        bag.note = try Note.findFirst(in: context)
        let text = bag.note!.text
        await on("stranger") { if bag.note!.text != text { print("another text") } }
    }
}
