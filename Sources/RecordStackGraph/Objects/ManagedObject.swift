public import RecordStackModel

/// An object of an entity, in a context.
///
/// Declare an entity as a class that inherits from it:
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
/// An object belongs to one context, and you use it only in that context's isolation. It is not
/// Sendable, so the compiler keeps it there. Its ``objectID`` and its `snapshot` can leave the
/// isolation. An object may be released on any thread.
///
/// Reading an attribute never throws and never stops the program. A value that cannot be loaded,
/// for example because the row is gone or the store is busy, reads as its type's placeholder. If
/// the object was loaded before it became a fault, the value reads as it was then. The error goes
/// to the context's ``ManagedObjectContext/faultHandler``, and the context's next throwing
/// operation throws it. ``load()`` is the throwing form.
///
/// Without the macro, a class overrides the members whose comments end in “Generated code.”
///
/// The class is explicitly nonisolated, so that entities are, too, in a module whose default
/// isolation is the main actor.
nonisolated open class ManagedObject: ManagedEntity {
    // @exclusivity(unchecked): only the isolation of the object's context uses these, one whole
    // value at a time.

    @exclusivity(unchecked) @usableFromInline final let anchor: ContextAnchor
    @exclusivity(unchecked) @usableFromInline final let keyValue: Int64
    @exclusivity(unchecked) @usableFromInline final var recordValue: ObjectRecord?
    // Each access reads the following fields. They come last, next to the subclass's values, which
    // often puts both into one cache line.

    /// The slots below 64 that were written since the last save, or ever in a new object.
    @exclusivity(unchecked) @usableFromInline final var writtenValue: UInt64
    /// The flags in the low 16 bits, and the row version above them.
    @exclusivity(unchecked) @usableFromInline final private(set) var bitsValue: UInt64

    /// Creates an object from a row. Generated code.
    @inlinable
    public required init(row: borrowing RowCells, seed: ObjectSeed) {
        anchor = seed.anchor.takeUnretainedValue()
        keyValue = seed.key
        bitsValue = seed.bits
        writtenValue = 0
        recordValue = nil
    }

    /// Creates an object without a row: a new object or a fault. Generated code.
    @inlinable
    public required init(seed: ObjectSeed) {
        anchor = seed.anchor.takeUnretainedValue()
        keyValue = seed.key
        bitsValue = seed.bits
        writtenValue = 0
        recordValue = nil
    }

    /// The entity's name and properties. Generated code.
    open class var entityDescription: EntityDescription {
        self == ManagedObject.self ? noEntity : .undeclared(self)
    }

    /// Creates an object from a row.
    ///
    /// An override knows its class, which makes it faster than the initializer called through a
    /// metatype. Generated code.
    open class func make(row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
        self.init(row: row, seed: seed)
    }

    /// The number of the entity's slots, including inherited ones. Generated code.
    open class var slotCount: Int { 0 }

    /// The number of the entity's relationships, including inherited ones. Generated code.
    open class var relationshipCount: Int { 0 }

    /// Reads all slots of a row. Generated code.
    open func load(_ row: borrowing RowCells) {}

    /// Reads some slots of a row. Generated code.
    open func load(_ row: borrowing RowCells, slots: SlotSet) {}

    /// Writes all slots in order. Generated code.
    open func write(to writer: inout CellWriter) {}

    /// Returns the stored value of a slot. Generated code.
    open func storedValue(at slot: Int) -> StoredValue { .null }

    /// The hooks below that the class overrides. Generated code.
    open class var lifeCycleHooks: LifeCycleHooks { [] }

    /// Called once in an object's life, when it was created.
    ///
    /// The object has its declared defaults, and nothing else is set yet.
    ///
    /// ```swift
    /// override func awakeFromInsert() { createdAt = .now }
    /// ```
    ///
    /// Override hooks in the class itself. They run in the context's isolation. An override need
    /// not call `super` unless a superentity overrides the hook, too. A save inside a hook throws
    /// ``RecordStackError/Code/misuse``. The page on the life cycle describes the order of the
    /// hooks.
    open func awakeFromInsert() {}

    /// Called after the object's values were loaded and before the program sees them.
    ///
    /// The values come from the store or from another context of the tree. The hook is called when
    /// the object first appears in the context, and again each time it was a fault.
    ///
    /// Setting the object's own attributes here is not a change. Any other change made here is one.
    open func awakeFromFetch() {}

    /// Called before the object is saved: when it is new, changed or about to be deleted.
    ///
    /// The hook is called again if another hook has changed the object since. The save includes the
    /// values that you set here. Set only values that differ. Otherwise the hook is called again
    /// and again until the save throws.
    open func willSave() {}

    /// Called after the object was saved and its context has merged the save.
    ///
    /// A deleted object is detached by then. Values that you set here are changes for the next
    /// save.
    open func didSave() {}

    /// Called when the object is about to be deleted and still has its relationships.
    open func prepareForDeletion() {}

    /// Called before a new object is saved or pushed, after the rules of its properties.
    ///
    /// Override it for rules that involve several properties.
    ///
    /// - Throws: ``ValidationError``, or any other error, whose description becomes the message.
    open func validateForInsert() throws {}

    /// Called before a changed object is saved or pushed, after the rules of its properties.
    ///
    /// - Throws: ``ValidationError``, or any other error, whose description becomes the message.
    open func validateForUpdate() throws {}

    /// Called before the deletion of an object is saved or pushed.
    ///
    /// - Throws: ``ValidationError``, or any other error, whose description becomes the message.
    open func validateForDelete() throws {}
}

// Only these functions write `bitsValue`.
extension ManagedObject {
    /// The context's knowledge of the object's row, and its plans for it.
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

        /// Returns the names of a word's flags, and "version" if the word contains one.
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
        // `tellOfChange` has removed the object from the indexes, so nothing watches it now.
        bitsValue = bitsValue & ~ObjectFlags.mask | next.flags & ~ObjectFlags.watched
        return effects
    }

    /// Removes a watched object from its context's indexes.
    ///
    /// Must be called before the object's values change, unless a setter calls `willWrite(_:)`.
    @inline(__always)
    final func tellIfWatched() {
        if bitsValue & ObjectFlags.watched != 0 { tellOfChange() }
    }

    /// Reports to the context that a watched object is about to change or an object becomes dirty.
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
    /// The description of `ManagedObject` itself, which no stack accepts as an entity.
    private static let noEntity = EntityDescription(
        name: "ManagedObject", type: ManagedObject.self, properties: [])

    /// Returns the inheritable properties of an entity. `ManagedObject` has none.
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
