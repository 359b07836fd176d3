public import RecordStackModel

/// The base class of your entities. Their objects live in a context.
///
/// Declare each entity as a subclass:
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
/// An object belongs to one context, and you use it only in that context's isolation. Objects are
/// not Sendable, so the compiler keeps them there. You can pass an object's ``objectID`` and its
/// `snapshot` to another isolation. An object may be released on any thread.
///
/// Reading an attribute never throws and never stops the program. A value that cannot be loaded,
/// for example because the row is gone or the store is busy, reads as its type's placeholder. If
/// the object was loaded earlier and then became a fault, the property returns the earlier value
/// instead. The context's ``ManagedObjectContext/faultHandler`` gets the error, and the context's
/// next throwing operation throws it. To get the error directly, call ``load()`` before you read.
///
/// The `@Entity` macro overrides the members whose comments end in “Generated code.” If you write
/// an entity without the macro, override them yourself.
///
/// The class is explicitly nonisolated. Its subclasses are therefore nonisolated even in a module
/// whose default isolation is the main actor.
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

    /// Creates an object whose values are not loaded: a new object or a fault. Generated code.
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
    /// An override names its class, so it is faster than a call of the initializer through a
    /// metatype. Generated code.
    open class func make(row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
        self.init(row: row, seed: seed)
    }

    /// The number of slots, one for each stored property, including inherited ones. Generated code.
    open class var slotCount: Int { 0 }

    /// The number of the entity's relationships, including inherited ones. Generated code.
    open class var relationshipCount: Int { 0 }

    /// Sets all stored properties from a row. Generated code.
    open func load(_ row: borrowing RowCells) {}

    /// Sets the stored properties with the given slots from a row. Generated code.
    open func load(_ row: borrowing RowCells, slots: SlotSet) {}

    /// Writes the values of all stored properties, in the order of their slots. Generated code.
    open func write(to writer: inout CellWriter) {}

    /// Returns the stored value of the property with the given slot. Generated code.
    open func storedValue(at slot: Int) -> StoredValue { .null }

    /// The life-cycle hooks that the class overrides. Generated code.
    open class var lifeCycleHooks: LifeCycleHooks { [] }

    /// Called once in an object's life, when the object is created.
    ///
    /// The attributes have their declared defaults, and nothing else is set yet.
    ///
    /// ```swift
    /// override func awakeFromInsert() { createdAt = .now }
    /// ```
    ///
    /// Override hooks in the body of the class, where the `@Entity` macro looks for them. Hooks run
    /// in the context's isolation. An override has to call `super` only if a superentity overrides
    /// the hook, too. Saving inside a hook throws ``RecordStackError/Code/misuse``. The page on the
    /// life cycle describes the order in which hooks are called.
    open func awakeFromInsert() {}

    /// Called after the object's values are loaded and before your code reads them.
    ///
    /// The values come from the store, from an ancestor context, or from a child's push. The hook
    /// is called when the object first appears in the context, and again each time a fault is
    /// loaded.
    ///
    /// Setting the object's own attributes in this hook is not a change. Any other edit in this
    /// hook is an unsaved change.
    open func awakeFromFetch() {}

    /// Called before a new, changed or deleted object is saved.
    ///
    /// If another hook then changes the object, this hook is called again. The save includes the
    /// values that you set here. Set a property only if the new value differs from the current one.
    /// Otherwise, the hook is called again and again until the save throws.
    open func willSave() {}

    /// Called after the object was saved and its context has merged the save.
    ///
    /// A deleted object is detached by then. Values that you set here are unsaved changes, which
    /// the next save writes.
    open func didSave() {}

    /// Called before the object is deleted, while it still has its relationships.
    open func prepareForDeletion() {}

    /// Called before a new object is saved or pushed, after its property rules are checked.
    ///
    /// Override it for rules that involve several properties.
    ///
    /// - Throws: A ``ValidationError``, or any other error, whose description becomes the message
    ///   of the failure.
    open func validateForInsert() throws {}

    /// Called before a changed object is saved or pushed, after its property rules are checked.
    ///
    /// - Throws: A ``ValidationError``, or any other error, as in ``validateForInsert()``.
    open func validateForUpdate() throws {}

    /// Called before the deletion of an object is saved or pushed.
    ///
    /// - Throws: A ``ValidationError``, or any other error, as in ``validateForInsert()``.
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

    /// Returns an empty array, because entities inherit no properties from this class.
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
