import Testing

/// A way to carry an object or a context through a door, and the correct way to do the same.
struct DoorLeak: Sendable, CustomTestStringConvertible {
    /// The statements of a program before the door, inside the block, and after the door.
    struct Steps: Sendable {
        var before = ""
        let inside: String
        var after = ""
    }

    let name: String
    /// `@MainActor` if the program runs on the main actor, or else empty.
    var isolation = ""
    let leak: Steps
    let twin: Steps
    let message: String

    var testDescription: String { name }

    /// Returns the leak through a door, and the same program without it.
    ///
    /// The compiler reports the marked line inside the block, or the line of the door if none is
    /// marked.
    func refusal(through door: Door) -> Refusal {
        let isInside = leak.inside.hasSuffix(Program.refusedMark)
        return Refusal(
            "\(name), through \(door.name)",
            refused: program(leak, door, isRefusedAtDoor: !isInside),
            accepted: program(twin, door, isRefusedAtDoor: false), message: message)
    }

    private func program(_ steps: Steps, _ door: Door, isRefusedAtDoor: Bool) -> String {
        door.program(
            isolation: isolation, before: steps.before, inside: steps.inside, after: steps.after,
            isRefusedHere: isRefusedAtDoor)
    }
}

extension DoorLeak {
    static let all = outward + inward

    /// Leaks out of the block.
    static let outward = [
        DoorLeak(
            name: "an object is returned",
            leak: Steps(inside: #"try Person.create(in: context, email: "a")"#),
            twin: Steps(inside: #"try Person.create(in: context, email: "a").objectID"#),
            message: "Pass its objectID or snapshot."),
        DoorLeak(
            name: "the context is returned", leak: Steps(inside: "context"),
            twin: Steps(inside: "context.name"),
            message: "A context stays in its isolation."),
        DoorLeak(
            name: "an object is kept in a variable",
            leak: Steps(
                before: "var kept: Person?", inside: "kept = try Person.findFirst(in: context)",
                after: "print(kept!.name)"),
            twin: Steps(inside: "let kept = try Person.findFirst(in: context); print(kept!.name)"),
            message: "risks causing data races"),
        DoorLeak(
            name: "the context is kept in a variable",
            leak: Steps(
                before: "var kept: ManagedObjectContext?", inside: "kept = context",
                after: "print(kept!.name)"),
            twin: Steps(inside: "let kept = context; print(kept.name)"),
            message: "risks causing data races"),
        DoorLeak(
            name: "an object goes into a detached task",
            leak: Steps(
                inside: "let ann = try Person.findFirst(in: context)!\n"
                    + "Task.detached { print(ann.name) } // refused"),
            twin: Steps(
                inside: "let name = try Person.findFirst(in: context)!.name\n"
                    + "Task.detached { print(name) }"),
            message: "risks causing data races"),
    ]

    /// Leaks into the block.
    static let inward = [
        DoorLeak(
            name: "an object of the default context is used inside", isolation: "@MainActor",
            leak: Steps(
                before: "let ann = try Person.findFirst(in: stack.defaultContext)!",
                inside: #"ann.name = "Ann""#),
            twin: Steps(
                before: "let id = try Person.findFirst(in: stack.defaultContext)!.objectID",
                inside: #"try Person.existing(id, in: context).name = "Ann""#),
            message: "risks causing data races between main actor-isolated code"),
        DoorLeak(
            name: "the default context is used inside", isolation: "@MainActor",
            leak: Steps(inside: "print(try Person.count(in: stack.defaultContext)) // refused"),
            twin: Steps(inside: "print(try Person.count(in: context))"),
            message: "main actor-isolated property 'defaultContext' can not be referenced"),
        DoorLeak(
            name: "a finder without in: is called inside", isolation: "@MainActor",
            leak: Steps(inside: "print(try Person.count()) // refused"),
            twin: Steps(inside: "print(try Person.count(in: context))"),
            message: "call to main actor-isolated static method 'count(matching:where:)'"),
    ]
}
