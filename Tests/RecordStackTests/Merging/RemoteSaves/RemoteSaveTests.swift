import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Saves of another stack on the same file, and the contexts of this stack that show them.
@MainActor
@Suite("Remote saves") struct RemoteSaveTests {
    private func seedPeople(_ context: ManagedObjectContext) throws {
        let red = try Team.create(in: context, title: "red")
        try Team.create(in: context, title: "blue")
        for email in ["ann", "bob", "eve"] {
            try Person.create(in: context, email: email, name: "1", age: 1).team = red
        }
    }

    private func person(_ email: String, in context: ManagedObjectContext) throws -> Person {
        try #require(try Person.findFirst(by: \.email, email, in: context))
    }

    @Test func `the default context shows remote changes without an operation`() async throws {
        let stacks = try TwoStacks.ofPeople(seed: seedPeople)
        let context = stacks.here.defaultContext
        let (ann, bob) = (try person("ann", in: context), try person("bob", in: context))
        stacks.test.recorder.reset()
        try await stacks.other.saveWithBlock { context in
            try #require(try Person.findFirst(by: \.email, "ann", in: context)).name = "2"
            try #require(try Person.findFirst(by: \.email, "bob", in: context)).delete()
            try Person.create(in: context, email: "new")
        }
        #expect(try await eventually { ann.name == "2" && bob.objectState == .detached })
        #expect(ann.age == 1 && bob.name == "1" && !context.hasChanges)
        #expect(context.statistics.remoteMerges == 1 && context.statistics.merges >= 1)
        #expect(
            try Person.find(sortedBy: .ascending(\.email), in: context).map(\.email)
                == ["ann", "eve", "new"])
    }

    @Test func `merging a remote save runs no statement on the main thread`() async throws {
        let stacks = try TwoStacks.ofPeople(seed: seedPeople)
        let context = stacks.here.defaultContext
        let people = try Person.find(in: context)
        let before = context.statistics
        try await stacks.other.saveWithBlock { context in
            for person in try Person.find(in: context) { person.name = "2" }
        }
        #expect(try await eventually { people.allSatisfy { $0.name == "2" } })
        #expect((context.statistics - before).statements == 0)
    }

    @Test
    func `a context that nobody owns merges remote saves at its next operation`() async throws {
        let stacks = try TwoStacks.ofPeople(seed: seedPeople)
        let context = stacks.here.newContext()
        let ann = try person("ann", in: context)
        try await stacks.other.saveWithBlock {
            try #require(try Person.findFirst(by: \.email, "ann", in: $0)).name = "2"
        }
        let watcher = stacks.here.defaultContext
        #expect(try await eventually { watcher.statistics.remoteMerges == 1 })
        #expect(ann.name == "1")
        #expect(try Team.count(in: context) == 2)
        #expect(ann.name == "2")
    }

    @Test
    func `an edit stays and conflicts if a remote save changes the same property`() async throws {
        let stacks = try TwoStacks.ofPeople(seed: seedPeople)
        let context = stacks.here.defaultContext
        let (ann, bob) = (try person("ann", in: context), try person("bob", in: context))
        ann.age = 2
        bob.name = "ours"
        try await stacks.other.saveWithBlock { context in
            for person in try Person.find(in: context) { person.name = "theirs" }
        }
        #expect(try await eventually { ann.name == "theirs" })
        #expect(ann.changedValues() == ["age": .integer(2)] && bob.name == "ours")
        #expect(await failure { try await context.save() } == .conflict)
        try await context.save(mergePolicy: .objectTrump)
        let stored = try ForeignProgram(path: try #require(stacks.test.path))
            .rows("SELECT name, age FROM Person ORDER BY email")
        #expect(stored == [["theirs", "2"], ["ours", "1"], ["theirs", "1"]])
    }

    @Test func `an edit of a remotely deleted object is a conflict`() async throws {
        let stacks = try TwoStacks.ofPeople(seed: seedPeople)
        let context = stacks.here.defaultContext
        let ann = try person("ann", in: context)
        ann.name = "ours"
        try await stacks.other.saveWithBlock { context in
            try #require(try Person.findFirst(by: \.email, "ann", in: context)).delete()
        }
        #expect(try await eventually { ann.objectState == .deleted })
        #expect(await failure { try await context.save() } == .conflict)
        context.rollback()
        #expect(ann.objectState == .detached)
    }

    @Test func `an edit conflicts with a remote save that was not merged yet`() async throws {
        let stacks = try TwoStacks.ofPeople(interval: nil, seed: seedPeople)
        let context = stacks.here.defaultContext
        let ann = try person("ann", in: context)
        ann.name = "ours"
        try await stacks.other.saveWithBlock {
            try #require(try Person.findFirst(by: \.email, "ann", in: $0)).name = "theirs"
        }
        #expect(await failure { try await context.save() } == .conflict)
    }

    @Test func `a remote save that adds or removes members updates the relationship`() async throws
    {
        let stacks = try TwoStacks.ofPeople(seed: seedPeople)
        let context = stacks.here.defaultContext
        let red = try #require(try Team.findFirst(by: \.title, "red", in: context))
        let blue = try #require(try Team.findFirst(by: \.title, "blue", in: context))
        #expect(red.members.count == 3 && blue.members.isEmpty)
        try await stacks.other.saveWithBlock { context in
            let blue = try Team.findFirst(by: \.title, "blue", in: context)
            try #require(try Person.findFirst(by: \.email, "ann", in: context)).team = blue
            try #require(try Person.findFirst(by: \.email, "bob", in: context)).delete()
            try Person.create(in: context, email: "new").team = blue
        }
        #expect(try await eventually { blue.members.count == 2 })
        #expect(red.members.map(\.email) == ["eve"])
        #expect(Set(blue.members.map(\.email)) == ["ann", "new"])
    }

    @Test func `a context merges another stack's saves of members and their order`() async throws {
        let stacks = try TwoStacks.ofNovels { context in
            let ann = try Writer.create(in: context, name: "ann")
            for name in ["a", "b", "c"] {
                ann.mentors.append(try Writer.create(in: context, name: name))
            }
            let novel = try Novel.create(in: context, title: "novel")
            ann.novels.insert(novel)
            for title in ["1", "2", "3"] {
                let chapter = try Chapter.create(in: context)
                chapter.title = title
                novel.chapters.append(chapter)
            }
        }
        let context = stacks.here.defaultContext
        let ann = try #require(try Writer.findFirst(by: \.name, "ann", in: context))
        let novel = try #require(try Novel.findFirst(by: \.title, "novel", in: context))
        #expect(ann.mentors.map(\.name) == ["a", "b", "c"] && novel.writers.count == 1)
        #expect(novel.chapters.map(\.title) == ["1", "2", "3"])
        try await stacks.other.saveWithBlock { context in
            let ann = try #require(try Writer.findFirst(by: \.name, "ann", in: context))
            ann.novels.removeAll()
            ann.novels.insert(try Novel.create(in: context, title: "other"))
            ann.mentors.move(from: 2, to: 0)
            ann.mentors.append(try Writer.create(in: context, name: "d"))
            let novel = try #require(try Novel.findFirst(by: \.title, "novel", in: context))
            novel.chapters.move(from: 0, to: 2)
            let chapter = try Chapter.create(in: context)
            chapter.title = "0"
            novel.chapters.insert(chapter, at: 0)
        }
        #expect(try await eventually { ann.mentors.count == 4 })
        #expect(ann.novels.map(\.title) == ["other"] && novel.writers.isEmpty)
        #expect(ann.mentors.map(\.name) == ["c", "a", "b", "d"])
        #expect(novel.chapters.map(\.title) == ["0", "2", "3", "1"])
        #expect(!context.hasChanges)
    }

    @Test func `an operation merges remote saves even without a remoteSaveInterval`() async throws {
        let stacks = try TwoStacks.ofPeople(interval: nil, seed: seedPeople)
        let context = stacks.here.defaultContext
        let ann = try person("ann", in: context)
        try await stacks.other.saveWithBlock {
            try #require(try Person.findFirst(by: \.email, "ann", in: $0)).name = "2"
        }
        try await Task.sleep(for: .milliseconds(60))
        #expect(ann.name == "1" && context.statistics.remoteMerges == 0)
        #expect(try Person.count(in: context) { $0.name == "2" } == 1 && ann.name == "2")
        #expect(context.statistics.remoteMerges == 1)
    }

    /// Changes more rows than a merge lists one by one. No two rows next to each other change
    /// alike.
    @Test func `an operation merges a remote save of very many rows`() async throws {
        let stacks = try TwoStacks.ofPeople { context in
            for number in 0..<3_000 { try Person.create(in: context, email: "p\(number)") }
        }
        let context = stacks.here.defaultContext
        let people = try Person.find(in: context)
        try await stacks.other.saveWithBlock { context in
            let people = try Person.find(in: context)
            for (number, person) in people.enumerated() where number % 3 > 0 {
                if number % 3 == 1 { person.name = "2" } else { try person.delete() }
            }
        }
        #expect(try await eventually { context.statistics.remoteMerges == 1 })
        #expect(try Person.count(in: context) == 2_000)
        #expect(people.count { $0.name == "2" } == 1_000)
        #expect(people.count { $0.objectState == .detached } == 1_000)
    }

    @Test func `contexts merge batch deletions of another stack`() async throws {
        let stacks = try TwoStacks.ofPeople(seed: seedPeople)
        let context = stacks.here.defaultContext
        let people = try Person.find(in: context)
        try await stacks.other.delete(Person.where { $0.email == "ann" })
        #expect(try await eventually { people.count { $0.objectState == .detached } == 1 })
        try await stacks.other.delete(Person.all)
        #expect(try await eventually { context.statistics.remoteMerges == 2 })
        #expect(try Person.count(in: context) == 0)
        #expect(people.allSatisfy { $0.objectState == .detached })
    }

    @Test
    func `a stack that is alone on its file runs no statement for remote saves`() async throws {
        let test = try TestStack(for: Person.self, at: .temporaryFile)
        let context = test.stack.defaultContext
        let ann = try Person.create(in: context, email: "ann")
        try await context.save()
        test.recorder.reset()
        for number in 0..<20 {
            ann.name = "\(number)"
            try await context.save()
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(test.recorder.statements.count == 20 * 4, "BEGIN, UPDATE, token, COMMIT")
        #expect(context.statistics.remoteMerges == 0 && context.statistics.merges == 0)
    }

    @Test func `stacks notice each other's saves while stacks open and close`() async throws {
        let stacks = try TwoStacks.ofPeople(seed: seedPeople)
        let context = stacks.here.defaultContext
        let ann = try person("ann", in: context)
        let location = StoreLocation.file(try #require(stacks.test.path))
        // More stacks than the file has slots for.
        for number in 0..<40 {
            let other = try ContextStack(for: Person.self, Team.self, at: location)
            try await other.saveWithBlock {
                try #require(try Person.findFirst(by: \.email, "ann", in: $0)).age = number
            }
            if number % 2 == 0 { try other.close() }
            if number % 10 == 0 { #expect(try await eventually { ann.age == number }) }
        }
        #expect(try await eventually { ann.age == 39 || context.statistics.remoteMerges > 40 })
        _ = try Team.count(in: context)
        #expect(ann.age == 39)
    }

    @Test func `500 remote saves in quick succession are all merged`() async throws {
        let stacks = try TwoStacks.ofPeople(interval: 0.3) { context in
            for number in 0..<500 { try Person.create(in: context, email: "p\(number)") }
        }
        let context = stacks.here.defaultContext
        let people = try Person.find(in: context)
        let ids = people.map(\.objectID)
        for count in [20, 500] {
            for id in ids.prefix(count) {
                try await stacks.other.saveWithBlock {
                    try Person.existing(id, in: $0).age = count
                }
            }
            #expect(
                try await eventually {
                    // Few rows are listed one by one, and need no operation.
                    if count > 20 { _ = try Team.count(in: context) }
                    return people.prefix(count).allSatisfy { $0.age == count }
                })
        }
    }

    @Test func `a stack can be closed while another stack saves`() async throws {
        let stacks = try TwoStacks.ofPeople(seed: seedPeople)
        let location = StoreLocation.file(try #require(stacks.test.path))
        var options = StoreOptions()
        options.remoteSaveInterval = 0.001
        for number in 0..<30 {
            let brief = try ContextStack(
                for: Person.self, Team.self, at: location, options: options)
            let ann = try person("ann", in: brief.defaultContext)
            try await stacks.other.saveWithBlock {
                try #require(try Person.findFirst(by: \.email, "ann", in: $0)).age = number
            }
            try await Task.sleep(for: .microseconds(200 * number))
            if number % 2 == 0 { try brief.close() }
            #expect(ann.email == "ann")
        }
    }

    @Test(arguments: [0.0, -1, .nan, .infinity])
    func `an invalid remoteSaveInterval throws misuse`(interval: Double) {
        var options = StoreOptions()
        options.remoteSaveInterval = interval
        expect(.misuse, saying: "remoteSaveInterval") { try options.validate() }
    }
}
