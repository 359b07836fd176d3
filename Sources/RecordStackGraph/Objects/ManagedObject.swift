public import RecordStackModel

/// An object of an entity, in a context.
///
/// Entities are classes that inherit from it:
///
/// ```swift
/// @Entity final class Person: ManagedObject {
///     @Attribute(.unique) var email: String
///     @Attribute var name: String = ""
///     @Attribute var age: Int?
///     @Relationship(inverse: \Team.members) var team: Team?
/// }
/// ```
///
/// An object belongs to one context and is used in that context's isolation alone: it is not
/// Sendable, and the compiler refuses to let it out. What can leave is its ``objectID`` and its
/// `snapshot`. An object may be released on any thread.
///
/// Reading an attribute never throws and never stops the program. A value that cannot be loaded,
/// because the row is gone or the store is busy, reads as the type's placeholder; the error goes to
/// the context's ``ManagedObjectContext/faultHandler`` and is thrown by the context's next throwing
/// operation. ``load()`` is the throwing form.
///
/// Without the macro a class overrides the members whose comments end in “Generated code.”
open class ManagedObject: ManagedEntity {
    @exclusivity(unchecked) @usableFromInline final let anchor: ContextAnchor
    @exclusivity(unchecked) @usableFromInline final let keyValue: Int64
    /// Flags in the low 16 bits, the version of the row above them.
    @exclusivity(unchecked) @usableFromInline final var bitsValue: UInt64
    /// The slots below 64 that were written since the last save, or, in a new object, ever.
    @exclusivity(unchecked) @usableFromInline final var writtenValue: UInt64
    @exclusivity(unchecked) @usableFromInline final var recordValue: ObjectRecord?

    /// Makes an object of a row. Generated code.
    @inlinable
    public required init(row: borrowing RowCells, seed: ObjectSeed) {
        anchor = seed.anchor.takeUnretainedValue()
        keyValue = seed.key
        bitsValue = seed.bits
        writtenValue = 0
        recordValue = nil
    }

    /// Makes an object without a row: a new one, or one to be loaded later. Generated code.
    @inlinable
    public required init(seed: ObjectSeed) {
        anchor = seed.anchor.takeUnretainedValue()
        keyValue = seed.key
        bitsValue = seed.bits
        writtenValue = 0
        recordValue = nil
    }

    /// What the entity is called and which properties it has. Generated code.
    open class var entityDescription: EntityDescription { noEntity }

    /// Makes an object of a row. Generated code, which knows its class and so is faster than the
    /// initializer called through a metatype.
    open class func make(row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
        self.init(row: row, seed: seed)
    }

    /// How many slots the entity has, inherited ones included. Generated code.
    open class var slotCount: Int { 0 }

    /// How many relationships the entity has, inherited ones included. Generated code.
    open class var relationshipCount: Int { 0 }

    /// Reads all slots of a row. Generated code.
    open func load(_ row: borrowing RowCells) {}

    /// Reads some slots of a row. Generated code.
    open func load(_ row: borrowing RowCells, slots: SlotSet) {}

    /// Writes all slots in their order. Generated code.
    open func write(to writer: inout CellWriter) {}

    /// The value of a slot as it is stored. Generated code.
    open func storedValue(at slot: Int) -> StoredValue { .null }
}

extension ManagedObject {
    /// `ManagedObject` itself is no entity: a stack that is asked for one says so.
    private static let noEntity = EntityDescription(
        name: "ManagedObject", type: ManagedObject.self, properties: [])

    /// The properties of an entity, for those that inherit from it. `ManagedObject` has none.
    public static func properties<Root: ManagedObject>(of root: Root.Type) -> [PropertyDescription]
    {
        []
    }
}

@available(
    *, unavailable,
    message: "A managed object stays in its context's isolation. Pass its objectID or snapshot."
)
extension ManagedObject: Sendable {}
