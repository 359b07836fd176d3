import RecordStack
import RecordStackTesting
import Testing

/// Saved objects that nothing references. The context releases them, whatever it is used for.
@Suite("Objects that a context releases")
struct RegisteredObjectTests {
    @Test func `a context that creates and saves objects in a loop keeps few in memory`() throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        for round in 0..<300 {
            for part in 0..<100 { try Label.create(in: context, text: "\(round) \(part)") }
            try context.saveAndWait()
        }
        #expect(context.registeredObjectCount < 4_000)
    }

    @Test func `a parent that saves pushed objects in a loop keeps few in memory`() throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        for round in 0..<60 {
            let child = context.newChild()
            for part in 0..<100 { try Label.create(in: child, text: "\(round) \(part)") }
            try child.push()
            try context.saveAndWait()
        }
        #expect(context.registeredObjectCount < 4_000)
    }

    @Test func `a context keeps an object that the program references`() throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let first = try Label.create(in: context, text: "first")
        for round in 0..<4_000 { try Label.create(in: context, text: "\(round)") }
        try context.saveAndWait()
        for round in 4_000..<8_000 { try Label.create(in: context, text: "\(round)") }
        #expect(first.text == "first" && first.managedObjectContext === context)
        #expect(try Label.findFirst(by: \.text, "first", in: context) === first)
    }
}
