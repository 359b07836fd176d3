import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// Validation, which finds everything that is wrong at once, before anything is written.
@Suite("Validation") struct ValidationTests {
    private static let bookings: [any BookingValues.Type] = [Booking.self, HandBooking.self]

    private func breakInSevenWays(_ booking: some BookingValues) {
        (booking.title, booking.seats, booking.code) = ("", 9, "abc")
        (booking.colour, booking.number) = ("blue", 3)
        (booking.start, booking.end) = (2, 1)
        booking.place = nil
    }

    private func mend(_ booking: some BookingValues, _ place: ManagedObject) {
        (booking.title, booking.seats, booking.code) = ("Dinner", 8, "ABC-1")
        (booking.colour, booking.number, booking.end) = ("green", 4, 3)
        booking.place = place
    }

    @Test(arguments: 0..<2)
    func `a save reports seven broken rules at once and succeeds once fixed`(
        _ index: Int
    ) async throws {
        try await reportSeven(Self.bookings[index])
    }

    private func reportSeven<Entity: BookingValues>(_ type: Entity.Type) async throws {
        let test = try TestStack(for: type)
        let context = test.stack.newContext(name: "main")
        let booking = try Entity.create(in: context)
        let place = try Entity.makePlace(0, in: context)
        breakInSevenWays(booking)
        let before = booking.changedValues()
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        let failures = try #require(error?.failures)
        #expect(error?.code == .validation && error?.entity == "Booking")
        let properties = ["room", "title", "seats", "code", "colour", "number", "end"]
        #expect(failures.map(\.property) == properties)
        let seats = ValueRange(
            lowerBound: .integer(1), upperBound: .integer(8), includesUpperBound: true)
        #expect(
            failures.map(\.rule) == [
                .required, .length(1...20), .range(seats), .pattern("[A-Z]{3}-[0-9]+"),
                .oneOf([.text("red"), .text("green")]), .custom("must be even"),
                .validateForInsert,
            ])
        #expect(
            failures.map(\.message) == [
                "Room needs a value.", "Title must have between 1 and 20 characters.",
                "Seats must be between 1 and 8.", "Code must match the pattern [A-Z]{3}-[0-9]+.",
                "Colour must be one of red or green.", "Number must be even.",
                "End must be after the start.",
            ])
        #expect(
            failures.map(\.value) == [
                .null, .text(""), .integer(9), .text("abc"), .text("blue"), .integer(3), .real(1),
            ])
        #expect(failures.allSatisfy { $0.objectID == booking.objectID && $0.entity == "Booking" })
        #expect(
            failures.map { $0.concerns(Entity.endPath) }
                == [false, false, false, false, false, false, true])
        #expect(failures[1].keyPath == Entity.titlePath)
        #expect(
            failures[2].description
                == "Booking.seats must be between 1 and 8, and is 9 (\(booking.objectID)).")
        // The failed save changed nothing.
        #expect(booking.changedValues() == before && booking.objectState == .pending)
        #expect(try Entity.count(in: test.stack.newContext()) == 0)
        mend(booking, place)
        let second = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(second?.failures.map(\.message) == ["Eight seats are never green."])
        #expect(second?.failures.first?.property == nil)
        booking.colour = "red"
        #expect(try await context.save() == .saved(.inserting(2)))
    }

    @Test(arguments: 0..<2)
    func `validate() and a save report broken rules of changed objects`(
        _ index: Int
    ) throws {
        try checkChanges(Self.bookings[index])
    }

    private func checkChanges<Entity: BookingValues>(_ type: Entity.Type) throws {
        let test = try TestStack(for: type, at: .temporaryFile)
        try test.seed { context in
            let booking = try Entity.create(in: context)
            booking.title = "Dinner"
            booking.place = try Entity.makePlace(0, in: context)
        }
        let other = test.stack.newContext()
        let context = test.stack.newContext(name: "main")
        let booking = try #require(try Entity.find(in: context).first)
        try context.validate()
        try booking.validate()
        (booking.seats, booking.end) = (9, 0)
        let error = #expect(throws: RecordStackError.self) { try context.validate() }
        #expect(error?.failures.map(\.property) == ["seats", "end"])
        #expect(error?.failures.map(\.rule).last == .validateForUpdate)
        #expect(try booking.validationFailures().map(\.property) == ["seats", "end"])
        #expect(throws: RecordStackError.self) { try waitedSave(context) }
        (booking.seats, booking.end) = (8, 9)
        #expect(try waitedSave(context) == .saved(.updating(1)))
        #expect(try Entity.find(in: other).first?.seats == 8)
    }

    @Test(arguments: 0..<2)
    func `validateForDelete can refuse a deletion`(_ index: Int) throws {
        try refuseDeletion(Self.bookings[index])
    }

    private func refuseDeletion<Entity: BookingValues>(_ type: Entity.Type) throws {
        let test = try TestStack(for: type)
        let context = test.stack.newContext(name: "main")
        let booking = try Entity.create(in: context)
        (booking.title, booking.number) = ("Dinner", 42)
        booking.place = try Entity.makePlace(0, in: context)
        _ = try waitedSave(context)
        // Rules of values do not apply to an object that is deleted.
        booking.seats = 99
        try booking.delete()
        let error = #expect(throws: RecordStackError.self) { try waitedSave(context) }
        #expect(error?.failures.map(\.message) == ["Number 42 cannot be cancelled."])
        #expect(error?.failures.map(\.rule) == [.validateForDelete])
        #expect(try booking.validationFailures().count == 1)
        #expect(booking.objectState == .deleted)
        context.rollback()
        booking.number = 2
        _ = try waitedSave(context)
        try booking.delete()
        #expect(try waitedSave(context) == .saved(.deleting(1)))
    }

    @Test(arguments: 0..<2)
    func `a push validates the child, and a save validates all its ancestors`(_ index: Int) throws {
        try checkChain(Self.bookings[index])
    }

    private func checkChain<Entity: BookingValues>(_ type: Entity.Type) throws {
        let test = try TestStack(for: type)
        let parent = test.stack.newContext(name: "parent")
        let child = parent.newChild(name: "child")
        let above = try Entity.create(in: parent)
        (above.title, above.number) = ("Above", 1)
        above.place = try Entity.makePlace(0, in: parent)
        let below = try Entity.create(in: child)
        (below.title, below.seats) = ("Below", 0)
        let pushed = #expect(throws: RecordStackError.self) { try child.push() }
        #expect(
            pushed?.failures.map(\.message) == [
                "Room needs a value.", "Seats must be between 1 and 8.",
            ])
        #expect(child.insertedObjects.count == 1 && parent.insertedObjects.count == 2)
        let saved = #expect(throws: RecordStackError.self) { try waitedSave(child) }
        #expect(
            saved?.failures.map(\.property) == ["room", "seats", "number"])
        let message = try #require(saved?.message)
        #expect(message.contains("The context “child” cannot be saved. Booking.room needs a value"))
        #expect(
            message.contains("The context “parent” cannot be saved. Booking.number must be even"))
        #expect(throws: Never.self) { try Entity.count(in: child) }
        below.seats = 1
        below.place = try Entity.makePlace(1, in: child)
        // Invalid changes of the parent do not keep a child from pushing.
        #expect(try child.push() == .saved(.inserting(2)))
        above.number = 0
        #expect(try waitedSave(child) == .saved(.inserting(4)))
    }

    @Test func `validation can check a single value without an object`() throws {
        #expect(throws: Never.self) { try Checked.validate(\.age, 120) }
        #expect(throws: Never.self) { try Checked.validate(\.age, nil) }
        let error = #expect(throws: RecordStackError.self) { try Checked.validate(\.age, 121) }
        #expect(error?.code == .validation && error?.property == "age" && error?.objectID == nil)
        let failure = try #require(error?.failures.first)
        #expect(failure.message == "Age must be between 0 and 120." && failure.objectID == nil)
        #expect("\(failure)" == "Checked.age must be between 0 and 120, and is 121.")
        #expect(failure.concerns(\Checked.age) && !failure.concerns(\Checked.small))
        guard case .range(let range) = failure.rule else {
            Issue.record("\(failure)")
            return
        }
        #expect("\(range)" == "0...120" && range.includesUpperBound)
        #expect(range.lowerBound == .integer(0) && range.upperBound == .integer(120))
        #expect(
            try Checked.validationFailures(\.tags, []).map(\.message) == ["Pick a tag or more."])
        #expect(try Checked.validationFailures(\.share, .nan).map(\.rule) == [.required])
        #expect(
            "\(try Checked.validationFailures(\.tags, [])[0])"
                == "Checked.tags is []: Pick a tag or more.")
        let misuse = #expect(throws: RecordStackError.self) {
            try Checked.validate(\.name.count, 1)
        }
        #expect(misuse?.code == .misuse)
    }

    @Test func `validate() checks a whole object, whether new, loaded or deleted`() throws {
        let test = try TestStack(for: Booking.self)
        let context = test.stack.newContext(name: "main")
        let booking = try Booking.create(in: context)
        #expect(try booking.validationFailures().map(\.property) == ["title", "room"])
        booking.title = "Dinner"
        booking.room = try Room.create(in: context)
        try booking.validate()
        _ = try waitedSave(context)
        context.refreshAllObjects()
        try booking.validate()
        #expect(!booking.isFault)
        // A deleted object is valid, although another context has changed it.
        let id = booking.objectID
        try test.seed { other in
            let theirs = try other.existingObject(id, as: Booking.self)
            theirs.title = "Lunch"
        }
        try booking.delete()
        try booking.validate()
        _ = try waitedSave(context)
        let error = #expect(throws: RecordStackError.self) { try booking.validate() }
        #expect(error?.code == .misuse)
    }

    @Test func `an inherited rule's failure is found by a key path of either class`() throws {
        let test = try TestStack(for: Canary.self)
        let context = test.stack.newContext()
        let canary = try Canary.create(in: context)
        (canary.wings, canary.song) = (3, "")
        let error = #expect(throws: RecordStackError.self) { try waitedSave(context) }
        let failures = try #require(error?.failures)
        #expect(
            failures.map(\.message) == [
                "Wings must be at most 2.", "Song must have at least 1 character.",
                "Birds fly with pairs.", "A canary sings.",
            ])
        #expect(failures[0].concerns(\Bird.wings) && failures[0].concerns(\Canary.wings))
        #expect(failures[0].keyPath == \Bird.wings && failures[1].keyPath == \Canary.song)
        #expect(failures[1].concerns(\Canary.song) && !failures[1].concerns(\Bird.wings))
        #expect(failures[2].concerns(\Bird.wings) && failures[2].property == "wings")
        (canary.wings, canary.song) = (2, "tirili")
        #expect(try waitedSave(context) == .saved(.inserting(1)))
    }

    @Test func `any error of a validation hook becomes a failure with its text`() throws {
        struct Strange: Error, CustomStringConvertible {
            var description: String { "something strange" }
        }
        let test = try MacroHooks.makeTest()
        let context = test.stack.newContext()
        let ann = try MacroHooks.Singer.create(in: context)
        test.journal.script("validateForInsert") { _ in throw Strange() }
        let error = #expect(throws: RecordStackError.self) { try waitedSave(context) }
        #expect(error?.failures.map(\.message) == ["Something strange."])
        #expect(error?.failures.map(\.rule) == [.validateForInsert])
        // Failures that the hook reports keep their objects, another object's as well as its own.
        let other = try TestStack(for: Booking.self).stack.newContext()
        let booking = try other.create(Booking.self)
        let found = try booking.validationFailures()
        let id = booking.objectID
        test.journal.script("validateForInsert") { object in
            try object.validate()
            throw RecordStackError.broken(found)
        }
        let second = #expect(throws: RecordStackError.self) { try waitedSave(context) }
        #expect(second?.failures.map(\.objectID) == [id, id])
        #expect(ann.objectState == .pending)
    }

    @Test func `a save of imported rows fails as a whole if some are invalid`() throws {
        let test = try TestStack(for: Checked.self)
        let context = test.stack.newContext()
        let rows = Data(#"[{"age": 5}, {"age": 500}, {"size": "XXL"}]"#.utf8)
        #expect(try Checked.importJSON(rows, in: context).inserted == 3)
        let error = #expect(throws: RecordStackError.self) { try waitedSave(context) }
        #expect(error?.failures.map(\.property) == ["age", "size"])
        for failure in try #require(error?.failures) {
            try failure.objectID.flatMap { context.registeredObject($0) }?.delete()
        }
        #expect(try waitedSave(context) == .saved(.inserting(1)))
    }
}

extension RecordStackError {
    fileprivate static func broken(_ failures: [ValidationFailure]) -> RecordStackError {
        RecordStackError(.validation, "Broken.", failures: failures)
    }
}

@Entity class Bird: ManagedObject {
    @Attribute(.range(...2)) var wings: Int = 2

    override func validateForInsert() throws {
        if !wings.isMultiple(of: 2) {
            throw ValidationError("Birds fly with pairs.", property: \Bird.wings)
        }
    }
}

@Entity final class Canary: Bird {
    @Attribute(.length(1...)) var song: String = "la"

    override func validateForInsert() throws {
        var error = ValidationError()
        error.collect { try super.validateForInsert() }
        if song.isEmpty { error.add("A canary sings.") }
        try error.throwIfAny()
    }
}
