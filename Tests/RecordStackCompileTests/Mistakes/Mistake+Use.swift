extension Mistake {
    static let verbs: [Mistake] = [
        .inFunction(
            "an object is made without a context", "print(Team())",
            "print(try Team.create(in: context, title: \"\"))",
            says: "An object is made in a context: try TheType.create(in: context, …)"),
        .inFunction(
            "an object is made of values", "print(Team(title: \"a\"))",
            "print(try Team.create(in: context, title: \"a\"))",
            says: "argument passed to call that takes no arguments"),
        .inFunction(
            "the context comes last", "try Team.create(title: \"a\", in: context)",
            "try Team.create(in: context, title: \"a\")",
            says: "argument 'in' must precede argument 'title'"),
        .inFunction(
            "a value is of another type", "try Team.create(in: context, title: 5)",
            "try Team.create(in: context, title: \"5\")",
            says: "cannot convert value of type 'Int' to expected argument type 'String'"),
        .inFunction(
            "a value has a wrong name", "try Team.create(in: context, name: \"a\")",
            "try Team.create(in: context, title: \"a\")",
            says: "extra argument 'name' in call"),
        .inFunction(
            "an object is found by a number", "_ = try Person.find(7, in: context)",
            "_ = try Person.findFirst(by: \\.age, 7, in: context)",
            says: "that of a value is try TheType.findFirst(by: \\.name, value, in: context)"),
        .inFunction(
            "an object is found by a labelled number", "_ = try Person.find(id: 7, in: context)",
            "_ = try Person.existing(person.objectID, in: context)",
            says: "The object of an ID is try TheType.existing(id, in: context)"),
        .inFunction(
            "all are fetched", "_ = try Person.fetchAll(in: context)",
            "_ = try Person.find(in: context)",
            says: "All objects are try TheType.find(in: context)."),
        .inFunction(
            "all are fetched from what comes first", "_ = try Person.fetchAll(context)",
            "_ = try Person.find(in: context)",
            says: "All objects are try TheType.find(in: context)."),
        .inFunction(
            "one is fetched", "_ = try Person.fetchOne(context)",
            "_ = try Person.findFirst(in: context)",
            says: "One object is try TheType.findFirst(in: context)"),
        .inFunction(
            "all are found by another name", "_ = try Person.findAll(in: context)",
            "_ = try Person.find(in: context)",
            says: "All objects are try TheType.find(in: context)."),
        .inFunction(
            "all are found as in Objective-C", "_ = try Person.MR_findAll()",
            "_ = try Person.find(in: context)",
            says: "All objects are try TheType.find(in: context)."),
        .inFunction(
            "all is called", "_ = try Person.all()", "_ = try context.find(Person.all)",
            says: "cannot call value of non-function type 'FetchRequest<Person>'"),
        .inFunction(
            "an object is found or created",
            "_ = try Person.findOrCreate(by: \\.email, \"a\", in: context)",
            "_ = try Person.findFirstOrCreate(by: \\.email, \"a\", in: context)",
            says: "'findOrCreate(by:_:in:)' has been renamed to 'findFirstOrCreate(by:_:in:)'"),
        .inFunction(
            "an object is saved", "try person.save()", "try context.saveAndWait()",
            says: "A context saves all of its objects: try await context.save()"),
        .inFunction(
            "an object is destroyed", "try person.destroy()", "try person.delete()",
            says: "An object is deleted with try object.delete()."),
        .inFunction(
            "nobody tries", "_ = Person.find(in: context)", "_ = try Person.find(in: context)",
            says: "call can throw but is not marked with 'try'"),
        .inFunction(
            "no context is said off the main actor", "_ = try Person.find()",
            "_ = try Person.find(in: context)",
            says: "call to main actor-isolated static method"),
        .inFunction(
            "a limit is a text", "_ = try Person.find(limit: \"5\", in: context)",
            "_ = try Person.find(limit: 5, in: context)",
            says: "cannot convert value of type 'String' to expected argument type 'Int'"),
        .inFunction(
            "a to-one relationship is given a text", "person.team = \"a\"",
            "person.team = try Team.findFirst(by: \\.title, \"a\", in: context)",
            says: "cannot assign value of type 'String' to type 'Team'"),
        .inFunction(
            "a to-many relationship is set", "team.members = [person]",
            "team.members.replaceAll(with: [person])",
            says: "cannot assign to property: 'members' is a get-only property"),
        .inFunction(
            "an object is appended", "team.members.append(person)", "team.members.insert(person)",
            says: "'append' has been renamed to 'insert(_:)'"),
        .inFunction(
            "a snapshot is changed", "let kept = try person.snapshot; kept.name = \"a\"",
            "person.name = \"a\"",
            says: "cannot assign through dynamic lookup property: 'kept' is a 'let' constant"),
    ]

    static let filters: [Mistake] = [
        .inFunction(
            "a sort key is a wrong key path",
            "_ = try Person.find(sortedBy: .ascending(\\.title), in: context)",
            "_ = try Person.find(sortedBy: .ascending(\\.name), in: context)",
            says: "value of type 'Person' has no member 'title'"),
        .inFunction(
            "a sort key is a text", "_ = try Person.find(sortedBy: \"name\", in: context)",
            "_ = try Person.find(sortedBy: .ascending(\\.name), in: context)",
            says:
                "cannot convert value of type 'String' to expected argument type '[SortKey<Person>]'"
        ),
        .inFunction(
            "a sort key is a descriptor",
            "_ = try Person.find(sortedBy: [SortDescriptor(\\Person.name)], in: context)",
            "_ = try Person.find(sortedBy: [.ascending(\\.name)], in: context)",
            says: "to expected element type 'SortKey<Person>'"),
        .inFunction(
            "a condition has a wrong name", "_ = try Person.find(in: context) { $0.nam == \"a\" }",
            "_ = try Person.find(in: context) { $0.name == \"a\" }",
            says: "has no dynamic member 'nam'"),
        .inFunction(
            "a condition compares with another type",
            "_ = try Person.find(in: context) { $0.name == 5 }",
            "_ = try Person.find(in: context) { $0.name == \"5\" }",
            says: "cannot be applied to operands of type 'FilterExpression<String>' and 'Int'"),
        .inFunction(
            "a condition calls what there is not",
            "_ = try Person.find(in: context) { $0.name.isMultiple(of: 2) }",
            "_ = try Person.find(in: context) { $0.name.hasPrefix(\"2\") }",
            says: "has no member 'isMultiple'"),
        .inFunction(
            "a condition returns",
            "_ = try Person.find(in: context) { if $0.isActive { return $0.name == \"a\" } }",
            "_ = try Person.find(in: context) { $0.isActive && $0.name == \"a\" }",
            says: "cannot use explicit 'return' statement"),
        .inFunction(
            "a condition is a text", "_ = try Person.find(where: \"name == 'a'\", in: context)",
            "_ = try Person.find(matching: .format(\"name == %@\", \"a\"), in: context)",
            says: "argument 'in' must precede argument 'where'"),
        .inFunction(
            "a condition is a predicate",
            "_ = try Person.find(matching: #Predicate { $0.name == \"a\" }, in: context)",
            "_ = try Person.find(matching: Filter(#Predicate<Person> { $0.name == \"a\" }), in: context)",
            says: "matching: Filter(#Predicate<TheType> { … })."),
    ]

    static let contexts: [Mistake] = [
        .inFunction(
            "a context fetches", "_ = try context.fetch(Person.all)",
            "_ = try context.find(Person.all)", says: "'fetch' has been renamed to 'find(_:)'"),
        .inFunction(
            "an object is inserted", "context.insert(person)",
            "_ = try Team.create(in: context, title: \"a\")",
            says: "An object is in its context from the beginning"),
        .inFunction(
            "a context is saved where nobody can wait", "try context.save()",
            "try context.saveAndWait()",
            says: "'async' call in a function that does not support concurrency"),
        .inFunction(
            "a context performs",
            "try await context.perform { print(try Person.count(in: context)) }",
            "try await stack.saveWithBlock { print(try Person.count(in: $0)) }",
            says: "For background work, write stack.saveWithBlock { context in … }.",
            effects: "async throws"),
        .inFunction(
            "a thread is held up to save", "try context.saveAndWait()", "try await context.save()",
            says: "Use save(), which does not block the thread.", effects: "async throws"),
        .inFunction(
            "a thread is held up for a block",
            "try stack.saveWithBlockAndWait { _ = try Team.create(in: $0, title: \"a\") }",
            "try await stack.saveWithBlock { _ = try Team.create(in: $0, title: \"a\") }",
            says: "Use saveWithBlock, which does not block the thread.", effects: "async throws"),
        .inFunction(
            "a block waits",
            "try await stack.saveWithBlock { _ in try await Task.sleep(for: .seconds(1)) }",
            """
            try await Task.sleep(for: .seconds(1))
            try await stack.saveWithBlock { _ = try Team.create(in: $0, title: "a") }
            """,
            says: "to parameter expecting synchronous function type", effects: "async throws"),
        .inFunction(
            "a block ends with an object",
            "_ = try await stack.saveWithBlock { try Team.create(in: $0, title: \"a\") }",
            "_ = try await stack.saveWithBlock { try Team.create(in: $0, title: \"a\").objectID }",
            says:
                "A managed object stays in its context's isolation. Pass its objectID or snapshot.",
            effects: "async throws"),
        .inFunction(
            "a block ends with objects",
            "_ = try await stack.saveWithBlock { try Person.find(in: $0) }",
            "_ = try await stack.saveWithBlock { try Person.find(in: $0).map(\\.objectID) }",
            says:
                "A managed object stays in its context's isolation. Pass its objectID or snapshot.",
            effects: "async throws"),
        .inFunction(
            "an object goes to a task", "Task.detached { print(person.name) }",
            "let id = person.objectID\nTask.detached { print(id) }",
            says: "passing closure as a 'sending' parameter risks causing data races"),
        .inFunction(
            "a context goes to a task", "Task { print(try Person.count(in: context)) }",
            "Task { try await stack.saveWithBlock { print(try Person.count(in: $0)) } }",
            says: "passing closure as a 'sending' parameter risks causing data races"),
    ]
}
