import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// What an entity of the macro can do, one that was written by hand can do as well.
@Suite struct TwinTests {
    @Test func `both are described alike`() {
        func lines(_ type: ManagedObject.Type) -> [String] {
            let entity = type.entityDescription
            let attributes = entity.attributes.map {
                "\($0.name) \($0.storedName) \($0.type) \($0.isOptional) \($0.isUnique) \($0.slot) "
                    + "\($0.hasDefault) \($0.defaultValue as Any)"
            }
            let relationships = entity.relationships.map {
                "\($0.name) \($0.storedName) \($0.isToMany) \($0.isRequired) \($0.deleteRule) "
                    + "\($0.destination.name) \($0.slot as Any)"
            }
            return [entity.name, entity.storedName, "\(entity.superentity?.name ?? "")"]
                + ["\(entity.identity?.name ?? "") \(type.slotCount) \(type.relationshipCount)"]
                + attributes + relationships
        }
        #expect(lines(MacroTwin.Author.self) == lines(HandTwin.Author.self))
        #expect(lines(MacroTwin.Editor.self) == lines(HandTwin.Editor.self))
        #expect(lines(MacroTwin.League.self) == lines(HandTwin.League.self))
    }

    @Test func `each opens the other's store`() throws {
        try exchange(from: MacroTwin.self, to: HandTwin.self)
        try exchange(from: HandTwin.self, to: MacroTwin.self)
    }

    private func exchange<From: Twin, To: Twin>(from: From.Type, to: To.Type) throws {
        let test = try TestStack(for: From.Editor.self, at: .temporaryFile)
        try test.seed { context in
            let league = try From.League.create(in: context)
            league.title = "A"
            let editor = try From.Editor.create(in: context)
            (editor.email, editor.desk, editor.tags) = ("ed", "news", ["x"])
            (editor as? From.Author)?.league = league
        }
        try test.stack.close()
        let stack = try ContextStack(for: To.Editor.self, at: .file(#require(test.path)))
        let context = stack.newContext()
        let author = try #require(try To.Author.findFirst(in: context))
        let editor = try #require(author as? To.Editor)
        #expect(editor.email == "ed" && editor.desk == "news" && editor.level == 3)
        #expect(editor.tags == ["x"] && author.league?.title == "A" && !context.hasChanges)
        try stack.close()
    }

    private func context<T: Twin>(_ twin: T.Type) throws -> ManagedObjectContext {
        try TestStack(for: T.Author.self, T.Editor.self).stack.newContext()
    }

    @Test(arguments: TwinKind.allCases)
    func `a new object has defaults, and must be given what has none`(_ kind: TwinKind) throws {
        try beNew(kind.twin)
    }

    private func beNew<T: Twin>(_ twin: T.Type) throws {
        let context = try context(twin)
        let author = try T.Author.create(in: context)
        #expect(author.email == "" && author.name == "nobody" && author.age == nil)
        #expect(author.rating == 1.5 && author.isActive && author.status == .draft)
        #expect(author.tags == [] && author.league == nil && author.joined == nil)
        #expect(!author.isSet(T.author.email) && author.isSet(T.author.name))
        #expect(throws: RecordStackError.self) { try author.snapshot }
        let editor = try T.Editor.create(in: context)
        let error = #expect(throws: RecordStackError.self) { try waitedSave(context) }
        #expect(error?.code == .validation)
        #expect(error?.failures.map(\.property) == ["email", "email", "desk"])
        (author.email, editor.email, editor.desk) = ("a", "e", "")
        #expect(editor.level == 3 && editor.rating == 1.5)
        #expect(try waitedSave(context) == .saved(.counting(inserted: 2)))
    }

    @Test(arguments: TwinKind.allCases)
    func `objects are found, counted, sorted and paged by each attribute`(_ kind: TwinKind) throws {
        try find(kind.twin)
    }

    /// Three objects, of which number 2 is an editor.
    private func fill<T: Twin>(_ twin: T.Type, _ context: ManagedObjectContext) throws {
        for number in 1...3 {
            let values: any TwinValues =
                try number == 2 ? T.Editor.create(in: context) : T.Author.create(in: context)
            (values.email, values.name, values.age) = ("\(number)", "n\(number)", 10 * number)
            (values.rating, values.isActive) = (Double(number) / 4, number > 1)
            values.joined = Date(timeIntervalSinceReferenceDate: Double(number))
            values.status = Status.allCases[number - 1]
            values.tags = ["\(number)"]
            (values as? T.Editor)?.desk = "news"
        }
    }

    private func find<T: Twin>(_ twin: T.Type) throws {
        let context = try context(twin)
        try fill(twin, context)
        let second = Date(timeIntervalSinceReferenceDate: 2)
        let paths = T.author
        for round in ["pending", "saved"] {
            func check(
                _ expected: [String], _ condition: @escaping (FilterProxy<T.Author>) -> Filter
            ) throws {
                let found = try T.Author.find(in: context, where: condition)
                #expect(found.map(\.email) == expected, "\(round)")
                #expect(try T.Author.count(in: context, where: condition) == expected.count)
                #expect(try T.Author.exists(in: context, where: condition) != expected.isEmpty)
            }
            try check(["2"]) { $0[dynamicMember: paths.email] == "2" }
            try check(["2", "3"]) { $0[dynamicMember: paths.name] > "n1" }
            try check(["1"]) { $0[dynamicMember: paths.age] < 20 }
            try check(["3"]) { $0[dynamicMember: paths.rating] > 0.5 }
            try check(["1", "2"]) { $0[dynamicMember: paths.joined] <= second }
            try check(["1"]) { $0[dynamicMember: paths.isActive] == false }
            try check(["3"]) { $0[dynamicMember: paths.status] == .withdrawn }
            try check(["2"]) { $0[dynamicMember: paths.tags] == ["2"] }
            try check(["1", "2", "3"]) { $0[dynamicMember: paths.league] == nil }
            try sort(twin, context)
            _ = try waitedSave(context)
        }
        let editors = try T.Editor.find(in: context) {
            $0[dynamicMember: T.editor.desk] == "news" && $0[dynamicMember: T.editor.level] == 3
                && $0[dynamicMember: T.editor.age] == 20
        }
        #expect(editors.map(\.email) == ["2"])
    }

    private func sort<T: Twin>(_ twin: T.Type, _ context: ManagedObjectContext) throws {
        func check<Value: AttributeValue>(_ path: KeyPath<T.Author, Value>, _ expected: String)
            throws
        {
            let up = try T.Author.find(sortedBy: .ascending(path), in: context)
            let down = try T.Author.page(1, size: 2, sortedBy: .descending(path), in: context)
            #expect(up.map(\.email).joined() == expected)
            #expect(down.total == 3)
            let last = Value.self == Bool.self ? "23" : String(expected.reversed().prefix(2))
            #expect(down.items.map(\.email).joined() == last)
        }
        try check(T.author.email, "123")
        try check(T.author.name, "123")
        try check(T.author.age, "123")
        try check(T.author.rating, "123")
        try check(T.author.joined, "123")
        try check(T.author.isActive, "123")
        try check(T.author.status, "123")
        try check(T.author.tags, "123")
        let byEmail = try T.Author.findFirst(by: T.author.email, "3", in: context)
        #expect(byEmail?.age == 30)
        #expect(try T.Author.findFirstOrCreate(by: T.author.email, "3", in: context) === byEmail)
    }

    @Test(arguments: TwinKind.allCases)
    func `a unique value is taken once, in subentities too`(_ kind: TwinKind) throws {
        try beUnique(kind.twin)
    }

    private func beUnique<T: Twin>(_ twin: T.Type) throws {
        let context = try context(twin)
        try T.Author.create(in: context).email = "x"
        let editor = try T.Editor.create(in: context)
        (editor.email, editor.desk) = ("x", "d")
        let error = #expect(throws: RecordStackError.self) { try waitedSave(context) }
        #expect(error?.code == .constraint && error?.property == "email")
        editor.email = "y"
        #expect(try waitedSave(context) == .saved(.counting(inserted: 2)))
    }

    @Test(arguments: TwinKind.allCases)
    func `both sides of a relationship follow each other`(_ kind: TwinKind) throws {
        try relate(kind.twin)
    }

    private func relate<T: Twin>(_ twin: T.Type) throws {
        let context = try context(twin)
        let a = try T.League.create(in: context)
        let b = try T.League.create(in: context)
        (a.title, b.title) = ("A", "B")
        try fill(twin, context)
        let authors = try T.Author.find(in: context)
        authors[0].league = a
        a.members.insert(authors[1])
        #expect(authors[1].league === a && a.members.map(\.email) == ["1", "2"])
        _ = try waitedSave(context)
        authors[1].league = b
        #expect(a.members.map(\.email) == ["1"] && b.members.map(\.email) == ["2"])
        b.members.remove(authors[1])
        #expect(authors[1].league == nil && authors[1].changedValues() == ["league": .null])
        let found = try T.Author.find(in: context) {
            $0[dynamicMember: T.author.league][dynamicMember: T.league] == "A"
        }
        #expect(found.map(\.email) == ["1"])
        try a.delete()
        #expect(authors[0].league == nil)
        _ = try waitedSave(context)
        #expect(try T.Author.count(in: context) { $0[dynamicMember: T.author.league] == nil } == 3)
    }

    @Test(arguments: TwinKind.allCases)
    func `snapshots have the values, and survive being encoded`(_ kind: TwinKind) throws {
        try takeSnapshots(kind.twin)
    }

    private func takeSnapshots<T: Twin>(_ twin: T.Type) throws {
        let test = try TestStack(for: T.Author.self, T.Editor.self)
        let context = test.stack.newContext()
        let league = try T.League.create(in: context)
        league.title = "A"
        try fill(twin, context)
        let author = try #require(try T.Author.findFirst(by: T.author.email, "2", in: context))
        author.league = league
        _ = try waitedSave(context)
        let snapshot = try author.snapshot
        #expect(snapshot[dynamicMember: T.author.tags] == ["2"])
        #expect(snapshot[dynamicMember: T.author.rating] == 0.5)
        #expect(snapshot[dynamicMember: T.author.league] == league.objectID)
        #expect(snapshot.storedValues.count == 11 && snapshot.storedValues["desk"] == .text("news"))
        #expect(try T.Author.snapshots(in: test.stack.newContext())[1] == snapshot)
        let decoder = JSONDecoder()
        decoder.userInfo[.managedObjectModel] = test.stack.model
        let data = try JSONEncoder().encode(snapshot)
        #expect(try decoder.decode(Snapshot<T.Author>.self, from: data) == snapshot)
    }

    @Test(arguments: TwinKind.allCases)
    func `an import finds values by their keys, and a null gives way`(_ kind: TwinKind) throws {
        try importRows(kind.twin)
    }

    private func importRows<T: Twin>(_ twin: T.Type) throws {
        let context = try context(twin)
        let text = """
            [{"contact": {"mail": "1"}, "full_name": null, "name": "Ann", "joined": "02.01.2001"},
             {"email": "1", "age": 5, "status": "published"}, {"email": "2", "status": "lost"},
             {"email": "3", "name": null, "age": "x", "tags": null}, {"name": "no key"}]
            """
        let report = try T.Author.importJSON(Data(text.utf8), in: context)
        #expect(report.inserted == 2 && report.updated == 1 && report.skipped == 2)
        #expect(
            report.problems.map { "\($0.row) \($0.property ?? "")" } == [
                "2 status", "3 age", "4 email",
            ])
        let found = try T.Author.find(sortedBy: .ascending(T.author.email), in: context)
        #expect(found.map(\.name) == ["Ann", "nobody"] && found.map(\.age) == [5, nil])
        #expect(found[0].joined == Date(timeIntervalSinceReferenceDate: 86_400))
        #expect(found[0].status == .published && found[1].tags == [])
        _ = try waitedSave(context)
        let again = try T.Author.importJSON(Data(#"[{"email": "1", "age": 5}]"#.utf8), in: context)
        #expect(again.unchanged == 1 && !context.hasChanges)
        let row = Data(#"{"email": "4", "desk": "d", "age": 4}"#.utf8)
        #expect(try T.Editor.importJSON(row, in: context).inserted == 1)
    }

    @Test(arguments: TwinKind.allCases)
    func `changes are tracked, and can be given up`(_ kind: TwinKind) throws {
        try change(kind.twin)
    }

    private func change<T: Twin>(_ twin: T.Type) throws {
        let context = try context(twin)
        try fill(twin, context)
        _ = try waitedSave(context)
        let author = try #require(try T.Author.findFirst(by: T.author.email, "2", in: context))
        let editor = try #require(author as? T.Editor)
        #expect(!author.hasChanges)
        author.age = 21
        editor.level = 4
        #expect(author.changedValues() == ["age": .integer(21), "level": .integer(4)])
        #expect(author.committedValues() == ["age": .integer(20), "level": .integer(3)])
        editor.level = 3
        author.age = 20
        #expect(!author.hasChanges && !context.hasChanges)
        (author.rating, author.tags, editor.desk) = (9, [], "sport")
        context.rollback()
        #expect(author.rating == 0.5 && author.tags == ["2"] && editor.desk == "news")
        author.isActive = false
        try context.refresh(author, mergingChanges: false)
        #expect(author.isActive && !author.hasChanges)
    }

    @Test(arguments: TwinKind.allCases)
    func `other contexts' changes are merged, and deletions too`(_ kind: TwinKind) throws {
        try merge(kind.twin)
    }

    private func merge<T: Twin>(_ twin: T.Type) throws {
        let stack = try TestStack(for: T.Author.self, T.Editor.self).stack
        let (mine, other) = (stack.newContext(), stack.newContext())
        try fill(twin, mine)
        _ = try waitedSave(mine)
        func second(_ context: ManagedObjectContext) throws -> T.Editor {
            try #require(try T.Editor.findFirst(by: T.editor.email, "2", in: context))
        }
        let (here, there) = (try second(mine), try second(other))
        (here.age, there.age, there.desk, there.joined) = (1, 20, "sport", nil)
        _ = try waitedSave(other)
        _ = try T.Author.count(in: mine)
        #expect(here.desk == "sport" && here.joined == nil && here.age == 1 && here.level == 3)
        _ = try waitedSave(mine)
        try other.refresh(there)
        #expect(there.age == 1)
        try here.delete()
        #expect(here.objectState == .deleted)
        _ = try waitedSave(mine)
        #expect(try T.Author.find(in: other).map(\.email) == ["1", "3"])
        #expect(there.objectState == .detached && there.desk == "sport")
        #expect(try T.Author.deleteAll(in: other) == 2)
        _ = try waitedSave(other)
        #expect(try T.Author.count(in: mine) == 0)
    }
}
