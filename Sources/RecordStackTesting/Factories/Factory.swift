public import RecordStackGraph

/// How a test makes objects of an entity, so that each test says only what matters to it.
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
/// A factory is a value without a state: tests that run side by side use the same one, and nothing
/// has to be set back. The number that it hands to its closure counts what factories make in a
/// stack, from 1, so that each stack begins anew: whichever factory makes an object, and in whichever
/// context, no number comes twice in a stack for one entity, nor for those that inherit from it.
///
/// What a factory makes is pending in the context, as after `create(in:)`; saving it is up to the
/// test, or to ``TestStack/seed(_:)``.
public struct Factory<Entity: ManagedObject>: Sendable {
    typealias Step = @Sendable (Entity, Int) throws -> Void

    /// What gives values, in their order.
    private var steps: [Step]
    /// What looks after relationships, when all values are there.
    private var associations: [@Sendable (Entity) throws -> Void] = []

    /// A factory.
    ///
    /// - Parameter prepare: gives a new object what every object of the entity must have. It is also
    ///   told the object's number.
    public init(_ prepare: @escaping @Sendable (_ object: Entity, _ number: Int) throws -> Void) {
        steps = [prepare]
    }

    /// The same factory with something more, or something else: for a kind of object that several
    /// tests need.
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

    /// Makes an object in a context.
    ///
    /// ```swift
    /// let ann = try Factory.person.create(in: context) { $0.name = "Ann" }
    /// ```
    ///
    /// - Parameters:
    ///   - context: where the object is made.
    ///   - change: what is different this time. It comes after the factory's own steps, and before
    ///     its associations, which fill in only what is still missing.
    /// - Throws: what the factory's steps throw; ``RecordStackError/Code/validation`` where a
    ///   required property was given no value; what creating an object throws. An object that
    ///   could not be finished is not left in the context.
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
            // The first error is the one to mend.
            try? context.delete(object)
            throw error
        }
        return object
    }

    /// Makes a number of objects in a context.
    ///
    /// ```swift
    /// let people = try Factory.person.create(3, in: context) { person, index in
    ///     person.age = [17, 18, 19][index]
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - context: where the objects are made.
    ///   - change: what is different this time. It also gets the object's index, from 0.
    /// - Throws: what ``create(in:_:)`` throws.
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
