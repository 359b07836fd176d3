public import RecordStackGraph

/// Creates objects of an entity for tests, so that each test states only the values it needs.
///
/// ```swift
/// extension Factory<Person> {
///     static let person = Factory { person, number in
///         person.email = "person\(number)@example.org"
///         person.name = "Person \(number)"
///     }
///     static let pensioner = person.with { person, _ in person.age = 70 }
///     static let player = person.association(\.team, .team)
/// }
///
/// let ann = try Factory.person.create(in: context) { $0.name = "Ann" }
/// let crowd = try Factory.pensioner.create(100, in: context)
/// ```
///
/// A factory is a value without state. Tests that run in parallel can use the same factory, and you
/// never need to reset it. The factory passes a number to its closure. In each stack, the numbers
/// start at 1. Within a stack, no two objects of an entity and its subentities get the same number,
/// whichever factory and context create them.
///
/// The objects are pending in the context, as after `create(in:)`. Save them in the test, or use
/// `TestStack.seed(_:)`.
public struct Factory<Entity: ManagedObject>: Sendable {
    typealias Step = @Sendable (Entity, Int) throws -> Void

    /// The steps that set values, in their order.
    private var steps: [Step]
    /// The steps that set relationships, after all values are set.
    private var associations: [@Sendable (Entity) throws -> Void] = []

    /// Creates a factory.
    ///
    /// - Parameter prepare: Sets the values that every object of the entity needs. It receives a
    ///   new object and the object's number.
    public init(_ prepare: @escaping @Sendable (_ object: Entity, _ number: Int) throws -> Void) {
        steps = [prepare]
    }

    /// Returns a copy of the factory that also runs another closure on each object.
    ///
    /// Use this method for a variant that several tests need.
    ///
    /// ```swift
    /// static let pensioner = person.with { person, _ in person.age = 70 }
    /// ```
    public func with(
        _ change: @escaping @Sendable (_ object: Entity, _ number: Int) throws -> Void
    ) -> Factory {
        var copy = self
        copy.steps.append(change)
        return copy
    }

    func adding(_ association: @escaping @Sendable (Entity) throws -> Void) -> Factory {
        var copy = self
        copy.associations.append(association)
        return copy
    }

    /// Creates an object in a context.
    ///
    /// ```swift
    /// let ann = try Factory.person.create(in: context) { $0.name = "Ann" }
    /// ```
    ///
    /// - Parameters:
    ///   - context: The context of the object.
    ///   - change: Sets the values that differ this time. It runs after the factory's own closures.
    ///     The factory's associations run last, and set only relationships that are still empty.
    /// - Throws: Any error of the factory's closures; `RecordStackError.Code.validation` if a
    ///   required property has no value; and any error of creating an object. If the call throws,
    ///   it deletes the unfinished object from the context.
    @discardableResult
    public func create(
        in context: ManagedObjectContext, _ change: ((Entity) throws -> Void)? = nil
    ) throws -> Entity {
        let object = try context.create(Entity.self)
        do {
            let number = FactoryNumbers.next(for: Entity.self, in: context)
            for step in steps { try step(object, number) }
            try change?(object)
            try requireValues(of: object, withRelationships: false)
            for association in associations { try association(object) }
            try requireValues(of: object, withRelationships: true)
        } catch {
            // Report the first error, which is the one to fix.
            try? context.delete(object)
            throw error
        }
        return object
    }

    /// Creates a number of objects in a context.
    ///
    /// ```swift
    /// let people = try Factory.person.create(3, in: context) { person, index in
    ///     person.age = [17, 18, 19][index]
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - count: The number of objects.
    ///   - context: The context of the objects.
    ///   - change: Sets the values that differ this time. It also receives the object's index,
    ///     which starts at 0.
    /// - Throws: Any error of ``create(in:_:)``.
    @discardableResult
    public func create(
        _ count: Int, in context: ManagedObjectContext,
        _ change: ((_ object: Entity, _ index: Int) throws -> Void)? = nil
    ) throws -> [Entity] {
        try (0..<max(count, 0)).map { index in
            try create(in: context) { try change?($0, index) }
        }
    }
}
