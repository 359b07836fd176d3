import RecordStack
import RecordStackTesting
import Testing

@Entity final class Chair: ManagedObject {
    @Attribute var name: String
    @Attribute var height: Int?
    @Relationship(inverse: \Chair.pupils) var teacher: Chair?
    @Relationship var pupils: ToMany<Chair>
    @Relationship var favourite: Chair?
    @Relationship var stool: Stool?
}

@Entity final class Stool: ManagedObject {
    @Attribute var legs: Int
}

/// Objects in filters. They are compared by identity, whichever closure they belong to.
@Suite("Object identity in filters") struct ObjectIdentityFilterTests {
    private let stack: TestStack
    private let stored: ManagedObjectContext
    /// A context in which one stored object is changed and one object is new.
    private let mixed: ManagedObjectContext

    init() throws {
        stack = try TestStack(for: Chair.self) { context in
            let ada = try Self.make("ada", 3, nil, in: context)
            let ben = try Self.make("ben", nil, ada, in: context)
            let cat = try Self.make("cat", 3, ada, in: context)
            (ada.favourite, ben.favourite, cat.favourite) = (ben, ada, cat)
        }
        stored = stack.stack.newContext()
        mixed = stack.stack.newContext()
        let cat = try mixed.find(Chair.where { $0.name == "cat" })[0]
        cat.height = 4
        let dan = try Self.make("dan", nil, cat, in: mixed)
        cat.favourite = dan
        dan.favourite = dan
    }

    private static func make(
        _ name: String, _ height: Int?, _ teacher: Chair?, in context: ManagedObjectContext
    ) throws -> Chair {
        let chair = try context.create(Chair.self)
        (chair.name, chair.height, chair.teacher) = (name, height, teacher)
        return chair
    }

    /// Checks the names of the objects found among stored rows only, and beside edits.
    private func check(
        _ stored: String, _ mixed: String, _ place: SourceLocation = #_sourceLocation,
        @FilterBuilder where condition: (FilterProxy<Chair>) -> Filter
    ) throws {
        let request = Chair.where(condition)
        for (context, names) in [(self.stored, stored), (self.mixed, mixed)] {
            let found = try context.find(request).map(\.name).sorted()
            #expect(found.joined(separator: " ") == names, sourceLocation: place)
        }
        try FormatRoundTripTests.check(condition(FilterProxy()), Chair.self)
    }

    @Test func `a filter can compare objects of nested closures with each other`() throws {
        try check("ben cat", "ben cat") { chair in
            chair.teacher.pupils.any { $0 != chair && $0.name > "a" }
        }
        try check("ada", "ada cat") { chair in chair.pupils.any { $0 == chair.favourite } }
        try check("ada ben cat", "ada ben dan") { chair in chair.favourite.favourite == chair }
        try check("cat", "dan") { chair in chair == chair.favourite }
        try check("ada ben", "ada ben cat") { $0.objectID != $0.favourite.objectID }
        try check("ben", "ben dan") { chair in
            chair.teacher.pupils.none { $0.teacher == $0.favourite && $0 != chair }
                && chair.teacher == chair.favourite || chair.name == "dan"
        }
    }

    @Test func `a filter can check whether members contain a related object or itself`() throws {
        try check("ada", "ada cat") { $0.pupils.contains($0.favourite) }
        try check("ben cat", "ben cat dan") { $0.teacher.pupils.contains($0) }
        try check("", "") { $0.pupils.contains($0) }
    }

    @Test func `a filter can compare with a given object, optional or not`() throws {
        let ada = try #require(try stored.find(Chair.where { $0.name == "ada" }).first)
        let ben = try #require(try stored.find(Chair.where { $0.name == "ben" }).first)
        func names(@FilterBuilder _ condition: (FilterProxy<Chair>) -> Filter) throws -> String {
            try stored.find(Chair.where(condition)).map(\.name).joined(separator: " ")
        }
        #expect(try names { $0 == ada } == "ada")
        #expect(try names { $0 != ada } == "ben cat")
        #expect(try names { $0.teacher == ben.teacher && $0 != ben } == "cat")
        #expect(try names { $0.teacher == ada.teacher } == "ada")
        #expect(try names { $0.teacher != ada.teacher } == "ben cat")
        #expect(try names { $0.teacher == ada } == "ben cat")
        #expect(try names { $0.teacher != ada } == "ada")
        #expect(try names { $0.teacher.objectID == ada.objectID } == "ben cat")
        #expect(try names { $0.teacher == nil } == "ada")
    }

    @Test func `a filter can compare with a given value, optional or not`() throws {
        func names(@FilterBuilder _ condition: (FilterProxy<Chair>) -> Filter) throws -> String {
            try stored.find(Chair.where(condition)).map(\.name).joined(separator: " ")
        }
        let (three, nothing, name): (Int?, Int?, String?) = (3, nil, "ben")
        #expect(try names { $0.height == three } == "ada cat")
        #expect(try names { $0.height == nothing } == "ben")
        #expect(try names { $0.name == name } == "ben")
        #expect(try names { $0.name != name } == "ada cat")
        #expect(try names { $0.teacher.name == Optional<String>.none } == "ada")
        #expect(try names { $0.teacher.name != nil } == "ben cat")
    }

    @Test func `comparing objects of unrelated entities throws misuse`() throws {
        let error = try #require(throws: RecordStackError.self) {
            try stored.count(Chair.where { $0.stool == $0 })
        }
        #expect(error.code == .misuse && error.message.contains("of Stool"))
        #expect(error.message.contains("of Chair"))
    }

    @Test func `a filter that compares objects prints as a format string`() throws {
        let chair = FilterProxy<Chair>()
        #expect(
            "\(chair.height > 3 && chair.teacher.name == "ada")"
                == #"height > 3 AND teacher.name == "ada""#)
        let hasPupils = !chair.pupils.isEmpty
        #expect("\(hasPupils)" == (try hasPupils.formatString(for: Chair.self)))
        #expect(
            "\(try Filter(format: "ANY pupils.height > 3", for: Chair.self))"
                == "ANY pupils.height > 3")
        #expect("\(chair.shout == "a")".hasPrefix("(A filter or sort order of Chair names"))
        #expect("\(Filter.all) \(Filter.none)" == "TRUEPREDICATE FALSEPREDICATE")
    }
}

extension Chair {
    fileprivate var shout: String { name.uppercased() }
}
