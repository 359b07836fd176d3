import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

extension TextOrder {
    /// An order by the last byte first, which no language uses.
    static let byEnds = TextOrder("ends") { a, b in
        if a.utf8.elementsEqual(b.utf8) { return .orderedSame }
        return a.utf8.reversed().lexicographicallyPrecedes(b.utf8.reversed())
            ? .orderedAscending : .orderedDescending
    }

    fileprivate static func language(_ identifier: String) -> TextOrder {
        let locale = Locale(identifier: identifier)
        return TextOrder(identifier) { $0.compare($1, options: .numeric, locale: locale) }
    }
}

/// Objects sorted by a text order that the program defines.
@Suite("Text orders") struct TextOrderTests {
    private let test: TestStack
    private let context: ManagedObjectContext
    private let words = ["zebra", "Äpfel", "apfel", "Östen", "ost", "file 10", "file 9", "ähre"]
    private let german = [
        "ähre", "apfel", "Äpfel", "file 9", "file 10", "ost", "Östen", "zebra",
    ]
    private let swedish = [
        "apfel", "file 9", "file 10", "ost", "zebra", "ähre", "Äpfel", "Östen",
    ]

    init() throws {
        test = try TestStack(for: Person.self, Team.self)
        context = test.stack.newContext()
    }

    private func fill(_ words: ArraySlice<String>) throws {
        for word in words { try Person.create(in: context, email: word, name: word) }
    }

    @Test(arguments: [0, 4, 8])
    func `each language sorts stored and new objects in its own order`(stored: Int) throws {
        try fill(words.prefix(stored))
        try context.saveAndWait()
        try fill(words.dropFirst(stored))
        for (language, wanted) in [("de_DE", german), ("sv_SE", swedish)] {
            let order = TextOrder.language(language)
            let found = try Person.find(sortedBy: .ascending(\.name, order: order), in: context)
            #expect(found.map(\.name) == wanted)
            let turned = try Person.find(
                sortedBy: .descending(\.name, order: order), limit: 3, offset: 1, in: context)
            #expect(turned.map(\.name) == wanted.reversed()[1...3].map(\.self))
            let values = try Person.values(
                of: \.name, sortedBy: .ascending(\.name, order: order), in: context)
            #expect(values == wanted)
        }
    }

    @Test func `pages by key sort in a language and refuse tokens from other orders`() throws {
        try fill(words[...])
        try context.saveAndWait()
        let request = Person.all.sorted(by: .ascending(\.name, order: .language("sv_SE")))
        var names: [String] = []
        var page = try context.page(after: nil, size: 3, of: request)
        while true {
            names += page.items.map(\.name)
            guard let next = page.next else { break }
            page = try context.page(after: next, size: 3, of: request)
        }
        #expect(names == swedish)
        let before = try context.page(before: page.previous, size: 3, of: request)
        #expect(before.items.map(\.name) == Array(swedish[3..<6]))
        let token = try #require(before.next)
        let other = Person.all.sorted(by: .ascending(\.name, order: .language("de_DE")))
        for foreign in [other, Person.all.sorted(by: .ascending(\.name))] {
            let error = #expect(throws: RecordStackError.self) {
                _ = try context.page(after: token, size: 3, of: foreign)
            }
            #expect(error?.code == .misuse)
        }
    }

    @Test func `sorting a unique attribute by language does not use its index`() throws {
        try fill(words[...])
        try context.saveAndWait()
        let request = Person.all.sorted(by: .ascending(\.email, order: .language("de_DE")))
        let first = try context.page(after: nil, size: 5, of: request)
        let second = try context.page(after: first.next, size: 5, of: request)
        #expect((first.items + second.items).map(\.email) == german)
        let explanation = try context.explain(request)
        #expect(explanation.sql.contains(#"COLLATE "ORDER de_DE""#))
        #expect(explanation.plan.contains { $0.contains("TEMP B-TREE") })
    }

    @Test func `a text order sorts by attributes of related objects, with nil last`() throws {
        let teams = try ["Öst", "Ost", "Zoo"].map { title in
            let team = try Team.create(in: context)
            team.title = title
            return team
        }
        for (index, word) in words.prefix(4).enumerated() {
            let person = try Person.create(in: context, email: word, name: "\(index)")
            if index < 3 { person.team = teams[index] }
        }
        try context.saveAndWait()
        let order = TextOrder.language("sv_SE")
        let found = try Person.find(
            sortedBy: .ascending(order: order, nulls: .last) { $0.team.title }, in: context)
        #expect(found.map(\.name) == ["1", "2", "0", "3"])
        let turned = try Person.find(
            sortedBy: .descending(order: order, nulls: .first) { $0.team.title }, in: context)
        #expect(turned.map(\.name) == ["3", "0", "2", "1"])
    }

    @Test func `a sort key with a TextOrder on a computed value throws misuse`() throws {
        let request = Person.all.sorted(
            by: .ascending(order: .byEnds) { $0.name.lowercased() })
        let error = #expect(throws: RecordStackError.self) { _ = try context.find(request) }
        #expect(error?.code == .misuse)
        #expect(error?.message.contains("Only attributes are sorted") == true)
    }

    @Test func `a TextOrder's name can be any text, and requests print it`() throws {
        let name = #"it's "ä"; DROP TABLE Person"#
        let order = TextOrder(name) { $0.compare($1) }
        try fill(words[...])
        try context.saveAndWait()
        let request = Person.all.sorted(by: .descending(\.name, order: order))
        #expect("\(request)" == "Person, sorted by name in the order “\(name)” descending")
        #expect(try context.find(request).count == words.count)
        #expect(TextOrder("SV") { $0.compare($1) } == TextOrder("sv") { $1.compare($0) })
    }
}
