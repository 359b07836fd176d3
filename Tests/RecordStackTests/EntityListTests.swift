import RecordStack
import RecordStackTesting
import Testing

/// Entities that a program knows only by their descriptions.
@Suite("Access by entity description") struct EntityListTests {
    @Test func `objects(of:) returns an entity and its subentities in order of ID`() throws {
        let test = try TestStack(for: Animal.self, Dog.self) { context in
            try Dog.create(in: context).name = "Rex"
            try Animal.create(in: context, name: "Tom")
        }
        let context = test.stack.newContext()
        try Dog.create(in: context).name = "Bello"
        let animals = try context.objects(of: Animal.entityDescription)
        #expect(animals.map { "\(type(of: $0))" } == ["Dog", "Animal", "Dog"])
        #expect((animals as? [Animal])?.map(\.name) == ["Rex", "Tom", "Bello"])
        #expect(try context.objects(of: Dog.entityDescription).count == 2)
    }

    @Test func `every attribute value can be read through its entity's description`() throws {
        let test = try TestStack(for: Person.self) { context in
            try Person.create(
                in: context, email: "ann", team: try Team.create(in: context, title: "A"))
        }
        let context = test.stack.newContext()
        var lines: [String] = []
        for entity in context.model.entities {
            for object in try context.objects(of: entity) {
                for attribute in entity.attributes {
                    lines.append("\(attribute.name) = \(object.storedValue(at: attribute.slot))")
                }
            }
        }
        #expect(
            lines == [
                #"email = "ann""#, #"name = """#, "age = null", "isActive = 1", #"title = "A""#,
            ])
    }

    @Test func `objects(of:) refuses an entity of another model`() throws {
        let context = try TestStack(for: Person.self).stack.newContext()
        let error = #expect(throws: RecordStackError.self) {
            try context.objects(of: Animal.entityDescription)
        }
        #expect(error?.code == .misuse && error?.entity == "Animal")
    }
}
