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
/// because the row is gone or the store is busy, reads as the type's placeholder,
/// or, where the object was loaded before it became a fault, as it was then; the error goes to the
/// context's ``ManagedObjectContext/faultHandler`` and is thrown by the context's next throwing
/// operation. ``load()`` is the throwing form.
///
/// Without the macro a class overrides the members whose comments end in “Generated code.”
///
/// The class is nonisolated in so many words, so that entities of a module that is the main actor's by default are too.
nonisolated open class ManagedObject: ManagedEntity {
    // @exclusivity(unchecked): only the isolation of the object's context uses these, one whole value at a time.

    @exclusivity(unchecked) @usableFromInline final let anchor: ContextAnchor
    @exclusivity(unchecked) @usableFromInline final let keyValue: Int64
    @exclusivity(unchecked) @usableFromInline final var recordValue: ObjectRecord?
    // Each access reads the following fields. They stand last, next to the subclass's values, which often puts both into
    // one cache line.

    /// The slots below 64 that were written since the last save, or, in a new object, ever.
    @exclusivity(unchecked) @usableFromInline final var writtenValue: UInt64
    /// Flags in the low 16 bits, the version of the row above them.
    @exclusivity(unchecked) @usableFromInline final private(set) var bitsValue: UInt64

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
    open class var entityDescription: EntityDescription {
        self == ManagedObject.self ? noEntity : .undeclared(self)
    }

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

    /// Which of the hooks below the class overrides. Generated code.
    open class var lifeCycleHooks: LifeCycleHooks { [] }

    /// Called once in an object's life: when it was made, with its declared defaults and before anything
    /// else is set.
    ///
    /// ```swift
    /// override func awakeFromInsert() { createdAt = .now }
    /// ```
    ///
    /// Hooks are overridden in the class itself, run in the context's isolation and need not call
    /// `super` unless a superentity has them, too. Saving inside of one throws
    /// ``RecordStackError/Code/misuse``. The page on the life cycle says which comes when.
    open func awakeFromInsert() {}

    /// Called when the object's values were loaded, from the store or from another context of the tree,
    /// and before a program sees them: for a new object in the context, and again after each time that
    /// the object has become a fault.
    ///
    /// Setting the object's own attributes here is no change. Other things that are done here are
    /// changes like others.
    open func awakeFromFetch() {}

    /// Called before the object is saved, whether it is new, changed or to be deleted; and again where
    /// a hook has changed it since.
    ///
    /// What is set here is saved with the rest. Set only what differs, or it is called again without an
    /// end, and the save throws.
    open func willSave() {}

    /// Called when the object was saved and its context shows it. A deleted one is detached by then.
    ///
    /// What is set here is a change for the next save.
    open func didSave() {}

    /// Called when the object is about to be deleted, while its relationships are still as they were.
    open func prepareForDeletion() {}

    /// Called before a new object is saved or pushed, after the rules of its properties: for rules that
    /// look at several.
    ///
    /// - Throws: ``ValidationError``, or any other error, whose description is then the message.
    open func validateForInsert() throws {}

    /// Called before a changed object is saved or pushed, after the rules of its properties.
    ///
    /// - Throws: ``ValidationError``, or any other error, whose description is then the message.
    open func validateForUpdate() throws {}

    /// Called before the deletion of an object is saved or pushed.
    ///
    /// - Throws: ``ValidationError``, or any other error, whose description is then the message.
    open func validateForDelete() throws {}
}

// Only these functions write `bitsValue`.
extension ManagedObject {
    /// What the object's context knows of its row.
    final var status: RowStatus { RowStatus(flags: bitsValue) }

    #if DEBUG
        /// Changes the object's status, and reports it to the stack's flag observer.
        @inline(__always)
        @discardableResult
        final func apply(
            _ event: RowStatus.Event, file: StaticString = #fileID,
            function: StaticString = #function
        ) -> RowStatus.Effects {
            let before = bitsValue
            let effects = changeStatus(event)
            if let observer = anchor.coordinator.watching.flagObserver {
                observer("\(file) \(function)", Self.names(in: before), Self.names(in: bitsValue))
            }
            return effects
        }

        /// The flags of a word of state, and whether there is a version.
        private static func names(in word: UInt64) -> String {
            let names =
                RowStatus(flags: word).names + (word & ~ObjectFlags.mask != 0 ? ["version"] : [])
            return names.isEmpty ? "none" : names.joined(separator: "+")
        }
    #else
        /// Changes the object's status.
        @inline(__always)
        @discardableResult
        final func apply(_ event: RowStatus.Event) -> RowStatus.Effects { changeStatus(event) }
    #endif

    @inline(__always)
    private final func changeStatus(_ event: RowStatus.Event) -> RowStatus.Effects {
        var next = status
        let effects = next.apply(event)
        let begins =
            next.flags & ObjectFlags.differs != 0 && bitsValue & ObjectFlags.differs == 0
        if begins || bitsValue & ObjectFlags.watched != 0 {
            tellOfChange()
        }
        // Whoever watched it was told.
        bitsValue = bitsValue & ~ObjectFlags.mask | next.flags & ~ObjectFlags.watched
        return effects
    }

    /// Must be called before the object's values change, unless a setter calls `willWrite(_:)`.
    @inline(__always)
    final func tellIfWatched() {
        if bitsValue & ObjectFlags.watched != 0 { tellOfChange() }
    }

    /// Tells the context that a watched object is about to change, or that an object becomes dirty.
    @inline(never)
    final func tellOfChange() {
        if let context = anchor.context {
            context.table(of: context.entityIndex(of: self)).willChange(self)
        }
        bitsValue &= ~ObjectFlags.watched
    }

    /// Marks the object as indexed by its context.
    final func setWatched(_ isWatched: Bool) {
        if isWatched {
            bitsValue |= ObjectFlags.watched
        } else {
            bitsValue &= ~ObjectFlags.watched
        }
    }

    /// Sets the row version of the object's values.
    @inline(__always)
    final func setVersionBits(_ version: RowVersion) {
        bitsValue =
            bitsValue & ObjectFlags.mask
            | UInt64(bitPattern: version.column) << ObjectFlags.versionShift
    }
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
