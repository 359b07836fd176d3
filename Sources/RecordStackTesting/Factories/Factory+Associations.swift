public import RecordStackGraph

extension Factory {
    /// Returns a copy of the factory that sets a to-one relationship of each object.
    ///
    /// ```swift
    /// static let player = person.association(\.team, .team)
    ///
    /// let ann = try Factory.player.create(in: context)                        // creates a team
    /// let bob = try Factory.player.create(in: context) { $0.team = ann.team } // creates no team
    /// ```
    ///
    /// If the test sets the relationship itself, the factory does not change it.
    ///
    /// - Parameters:
    ///   - keyPath: The relationship.
    ///   - factory: The factory of the related object. It is evaluated only when needed, so two
    ///     factories can refer to each other.
    public func association<Other: ManagedObject>(
        _ keyPath: any ReferenceWritableKeyPath<Entity, Other?> & Sendable,
        _ factory: @autoclosure @escaping @Sendable () -> Factory<Other>
    ) -> Factory {
        adding { object in
            guard object[keyPath: keyPath] == nil, let context = object.managedObjectContext else {
                return
            }
            object[keyPath: keyPath] = try factory().create(in: context)
        }
    }

    /// Returns a copy of the factory that adds members to a to-many relationship of each object.
    ///
    /// ```swift
    /// static let fullTeam = team.association(\.members, 11, .person)
    /// ```
    ///
    /// If the test adds members itself, the factory adds no members.
    ///
    /// - Parameters:
    ///   - keyPath: The relationship.
    ///   - count: The number of members.
    ///   - factory: The factory of the members. Each new member is in the relationship before the
    ///     member's own associations run.
    public func association<Other: ManagedObject>(
        _ keyPath: any KeyPath<Entity, ToMany<Other>> & Sendable, _ count: Int,
        _ factory: @autoclosure @escaping @Sendable () -> Factory<Other>
    ) -> Factory {
        adding { object in
            let members = object[keyPath: keyPath]
            guard members.isEmpty, let context = object.managedObjectContext else { return }
            try factory().create(count, in: context) { member, _ in members.insert(member) }
        }
    }
}
