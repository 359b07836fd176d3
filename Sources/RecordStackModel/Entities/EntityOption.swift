/// An option of an entity, declared with `@Entity(…)`.
///
/// ```swift
/// @Entity(.unique(\.team, \.number), .indexed(\.name, \.age), .stored(as: "players"))
/// final class Player: ManagedObject { … }
/// ```
public struct EntityOption: Sendable {
    let apply: @Sendable (inout EntityOptions) -> Void

    /// Requires that no two objects have the same values for all of these properties.
    ///
    /// The properties are attributes and to-one relationships. The rule does not apply to objects
    /// for which one of the properties is nil.
    public static func unique(
        _ properties: KeyPath<EntityPropertyNames, EntityPropertyNames>...
    ) -> EntityOption {
        // The macro replaces the key paths with those of the entity.
        EntityOption { _ in }
    }

    /// Requires that no two objects have the same values for all of these properties.
    ///
    /// Use this form in an entity written by hand, with key paths such as `\Player.number`.
    public static func unique(_ properties: (any AnyKeyPath & Sendable)...) -> EntityOption {
        EntityOption { $0.unique.append(properties) }
    }

    /// Adds an index of several attributes and to-one relationships to the store.
    ///
    /// The index serves filters that use the first of these properties, and lists of sort keys that
    /// begin with it.
    public static func indexed(
        _ properties: KeyPath<EntityPropertyNames, EntityPropertyNames>...
    ) -> EntityOption {
        // The macro replaces the key paths with those of the entity.
        EntityOption { _ in }
    }

    /// Adds an index of several properties to the store, in an entity written by hand.
    public static func indexed(_ properties: (any AnyKeyPath & Sendable)...) -> EntityOption {
        EntityOption { $0.indexed.append(properties) }
    }

    /// Declares that only the entity's subentities have objects.
    ///
    /// ```swift
    /// @Entity(.abstract) class Vehicle: ManagedObject { @Attribute var wheels: Int = 4 }
    /// @Entity final class Car: Vehicle { @Attribute var doors: Int = 5 }
    ///
    /// let vehicles = try Vehicle.find(in: context)        // cars and other vehicles
    /// ```
    ///
    /// Creating an object of the abstract entity throws ``RecordStackError/Code/misuse``. Creating
    /// a stack throws the same error if no concrete entity inherits from the abstract entity.
    public static let abstract = EntityOption { $0.isAbstract = true }

    /// Sets the name of the table, which is the entity's name by default.
    public static func stored(as name: String) -> EntityOption {
        EntityOption { $0.storedName = name }
    }
}

/// The options that `@Entity(…)` declares for an entity.
struct EntityOptions: Sendable {
    var unique: [[any AnyKeyPath & Sendable]] = []
    var indexed: [[any AnyKeyPath & Sendable]] = []
    var storedName: String?
    var isAbstract = false
    var problems: [String] = []
}

/// The slots of a common uniqueness rule or index.
package struct SlotGroup: Sendable, Hashable {
    /// The name of the entity that declares the group.
    ///
    /// It is needed because unrelated entities use the same slot numbers for different properties.
    package let owner: String
    package let slots: [Int]
}

/// Finds the slots for the key paths of declared groups.
struct GroupBuilder {
    let entity: String
    let superentity: EntityDescription?
    let slots: [SlotDescription]
    let table: PropertyTable

    func slot(_ keyPath: AnyKeyPath) -> Int? {
        // The key path may be rooted in the superentity.
        switch table[keyPath] ?? superentity?.anyProperty(at: keyPath) {
        case .attribute(let attribute)?: attribute.slot
        case .relationship(let relationship)?: relationship.slot
        case nil: nil
        }
    }

    private func groups(_ declared: [[any AnyKeyPath & Sendable]]) -> [SlotGroup] {
        declared.compactMap { keyPaths in
            let found = keyPaths.compactMap(slot)
            return found.isEmpty || found.count < keyPaths.count
                ? nil : SlotGroup(owner: entity, slots: found)
        }
    }

    func unique(_ declared: [[any AnyKeyPath & Sendable]]) -> [SlotGroup] {
        let inherited = superentity?.slots.count ?? 0
        let single = slots.indices.dropFirst(inherited).filter { slots[$0].isUnique }.map {
            SlotGroup(owner: entity, slots: [$0])
        }
        return (superentity?.uniqueGroups ?? []) + single + groups(declared)
    }

    func indexed(_ declared: [[any AnyKeyPath & Sendable]]) -> [SlotGroup] {
        (superentity?.indexGroups ?? []) + groups(declared)
    }

    func problems(_ declared: EntityOptions) -> [String] {
        problems(".unique", declared.unique) + problems(".indexed", declared.indexed)
    }

    private func problems(
        _ option: String, _ declared: [[any AnyKeyPath & Sendable]]
    ) -> [String] {
        declared.compactMap { keyPaths in
            if keyPaths.isEmpty { return "\(option) of \(entity) names no property." }
            if keyPaths.allSatisfy({ slot($0) != nil }) { return nil }
            return "\(option) of \(entity) names a property that is no attribute and no to-one "
                + "relationship."
        }
    }
}
