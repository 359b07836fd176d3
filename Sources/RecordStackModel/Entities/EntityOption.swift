/// One thing said of an entity with `@Entity(…)`.
///
/// ```swift
/// @Entity(.unique(\.team, \.number), .indexed(\.name, \.age), .stored(as: "players"))
/// final class Player: ManagedObject { … }
/// ```
public struct EntityOption: Sendable {
    let apply: @Sendable (inout EntityOptions) -> Void

    /// No two objects agree in all of these attributes and to-one relationships. Objects that have a
    /// null among them agree with none.
    public static func unique(
        _ properties: KeyPath<EntityPropertyNames, EntityPropertyNames>...
    ) -> EntityOption {
        // The macro writes the entity's own key paths in place of these.
        EntityOption { _ in }
    }

    /// No two objects agree in all of these properties: for an entity written by hand, with key paths
    /// such as `\Player.number`.
    public static func unique(_ properties: (any AnyKeyPath & Sendable)...) -> EntityOption {
        EntityOption { $0.unique.append(properties) }
    }

    /// The store keeps an index of these attributes and to-one relationships together, for filters
    /// and sort orders that begin with the first of them.
    public static func indexed(
        _ properties: KeyPath<EntityPropertyNames, EntityPropertyNames>...
    ) -> EntityOption {
        // The macro writes the entity's own key paths in place of these.
        EntityOption { _ in }
    }

    /// The store keeps an index of these properties together: for an entity written by hand.
    public static func indexed(_ properties: (any AnyKeyPath & Sendable)...) -> EntityOption {
        EntityOption { $0.indexed.append(properties) }
    }

    /// There are objects of the entities that inherit from it, and none of the entity itself.
    ///
    /// ```swift
    /// @Entity(.abstract) class Vehicle: ManagedObject { @Attribute var wheels: Int = 4 }
    /// @Entity final class Car: Vehicle { @Attribute var doors: Int = 5 }
    ///
    /// let vehicles = try Vehicle.find(in: context)        // cars, and what else inherits from it
    /// ```
    ///
    /// Creating one throws ``RecordStackError/Code/misuse``, and so does making a stack to which no
    /// entity that inherits from it is given.
    public static let abstract = EntityOption { $0.isAbstract = true }

    /// The table has another name than the entity.
    public static func stored(as name: String) -> EntityOption {
        EntityOption { $0.storedName = name }
    }
}

/// What `@Entity(…)` says of an entity.
struct EntityOptions: Sendable {
    var unique: [[any AnyKeyPath & Sendable]] = []
    var indexed: [[any AnyKeyPath & Sendable]] = []
    var storedName: String?
    var isAbstract = false
    var problems: [String] = []
}

/// Slots that belong together in a rule or an index.
package struct SlotGroup: Sendable, Hashable {
    /// The entity that declares the rule: slots of the same number in two entities that do not inherit
    /// from one another are different ones.
    package let owner: String
    package let slots: [Int]
}

/// Finds the slots of what was declared by key paths.
struct GroupBuilder {
    let entity: String
    let superentity: EntityDescription?
    let slots: [SlotDescription]
    let table: PropertyTable

    func slot(_ keyPath: AnyKeyPath) -> Int? {
        // A key path may be the superentity's.
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
